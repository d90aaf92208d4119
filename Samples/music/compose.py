#!/usr/bin/env python3
"""Compose the sample clips and the catalog that lists them.

Every clip in this folder is an original little piece, written for this project
as the scores below, played by the small synthesizer above them, and encoded as
AAC (.m4a) or MP3. The catalog goes to ../catalog.json.

    python3 compose.py                  make every clip, then the catalog
    python3 compose.py small-hours      make only the clips named, then the catalog

Needs Python 3.9 or later, and ffmpeg on PATH with its aac and libmp3lame
encoders. A full run takes about a minute and a half. Nothing is left to chance: the same
Python and the same ffmpeg write the same bytes every time.

How to read a score
    d5        the D above middle C (c4), as long as the note before it
    f#4:1.5   F sharp for a beat and a half; 1/3 is a third of a beat
    c4+e4+g4  a chord
    r:2       two beats of silence
    x:1       a stroke of something without a pitch, such as a drum
    g4!  g4?  louder than its neighbours, softer than its neighbours
    pp p mp mf f   how loud it goes on from here
    |         a bar line: the beats before it must fill whole bars
"""

import json
import re
import shutil
import subprocess
import sys
from array import array
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import cos, exp, pi, sin, tanh
from pathlib import Path
from random import Random
from typing import Callable, Optional

HERE = Path(__file__).resolve().parent
CATALOG = HERE.parent / "catalog.json"


# ---------------------------------------------------------------- building blocks


def times(seconds, rate):
    """The moment of each sample, in seconds."""
    return [i / rate for i in range(int(seconds * rate))]


def noise(count, *seed):
    """White noise, the same for the same seed."""
    rng = Random(repr(seed))
    return [rng.uniform(-1, 1) for _ in range(count)]


def lowpass(samples, cutoff, rate):
    """A gentle one-pole filter that keeps what lies below the cutoff."""
    keep = exp(-2 * pi * cutoff / rate)
    level, out = 0.0, []
    for sample in samples:
        level = sample + keep * (level - sample)
        out.append(level)
    return out


def highpass(samples, cutoff, rate):
    """What the low-pass filter would take away."""
    return [a - b for a, b in zip(samples, lowpass(samples, cutoff, rate))]


def ramp(count):
    """A smooth rise from 0 to 1."""
    return [0.5 - 0.5 * cos(pi * i / count) for i in range(count)]


def shape(samples, attack, release, rate):
    """Fade a sound in and out, so that it neither starts nor stops with a click."""
    rise = ramp(min(len(samples), int(attack * rate)))
    fall = ramp(min(len(samples), int(release * rate)))
    for i, gain in enumerate(rise):
        samples[i] *= gain
    for i, gain in enumerate(fall):
        samples[-1 - i] *= gain
    return samples


# -------------------------------------------------------------------- instruments
# Each takes a frequency, a length and a sample rate, and returns mono samples.


def pluck(freq, seconds, rate):
    """A nylon string: Karplus-Strong, worked out one period at a time.

    The string feeds itself through three weights. Their mean is what the delay
    lacks of a whole period, which keeps the string in tune; their spread, equal
    for neighbouring pitches, is what dulls the overtones as the note rings on.
    """
    delay = int(rate / freq - 0.5)
    mean = rate / freq - delay
    spread = min(0.7, max(0.25, 110 / freq))
    third = (spread + mean * mean - mean) / 2
    second = mean - 2 * third
    first = 1 - second - third
    loss = 10 ** (-3 / (freq * 5.0))  # 60 dB in five seconds
    a, b, c = loss * third, loss * second, loss * first

    string = plucked_shape(delay + 2, freq, rate)
    out = []
    while len(out) < seconds * rate:
        wave = [a * x + b * y + c * z for x, y, z in zip(string, string[1:], string[2:])]
        string = string[-2:] + wave
        out += wave
    return shape(out[: int(seconds * rate)], 0.002, 0.12, rate)


def plucked_shape(count, freq, rate):
    """How a string leaves the finger: a pulse a fifth of its length wide, slightly rough."""
    edge = count // 5
    pulse = [0.8 if i < edge else -0.2 for i in range(count)]
    rough = [p + 0.12 * n for p, n in zip(pulse, noise(count, "pluck", freq))]
    soft = lowpass(lowpass(rough * 2, 3200, rate), 3200, rate)[count:]
    middle = sum(soft) / count
    return [s - middle for s in soft]


def fm(freq, seconds, rate, ratio, index, bite, decay):
    """One sine bending another: bright for `bite` seconds, audible for about `decay`."""
    carrier, modulator = 2 * pi * freq, 2 * pi * freq * ratio
    return [
        exp(-t / decay) * sin(carrier * t + index * exp(-t / bite) * sin(modulator * t))
        for t in times(seconds, rate)
    ]


def bell(freq, seconds, rate):
    """A soft little bell, close to a celesta."""
    body = fm(freq, seconds, rate, ratio=4, index=0.7, bite=0.12, decay=0.9)
    chime = fm(freq * 2.756, seconds, rate, ratio=1, index=0, bite=1, decay=0.12)
    return shape([0.8 * b + 0.12 * c for b, c in zip(body, chime)], 0.003, 0.15, rate)


def keys(freq, seconds, rate):
    """An electric piano: a round tone, and the tap of the hammer on the tine."""
    decay = 0.5 + 180 / freq
    tone = fm(freq, seconds, rate, ratio=1, index=1.1, bite=0.5, decay=decay)
    tine = fm(freq, seconds, rate, ratio=11, index=0.35, bite=0.05, decay=0.12)
    return shape([0.75 * a + 0.2 * b for a, b in zip(tone, tine)], 0.004, 0.14, rate)


def marimba(freq, seconds, rate):
    """A wooden bar: its overtone is two octaves up and gone at once."""
    return shape(fm(freq, seconds, rate, ratio=4, index=0.9, bite=0.04, decay=0.28), 0.002, 0.08, rate)


def partials(freq, seconds, rate, levels):
    """A steady tone from the levels of its overtones: one fine cycle, read over and over."""
    wave = cycle(levels)
    step = freq / rate * len(wave)
    return [wave[int(i * step) % len(wave)] for i in range(int(seconds * rate))]


@lru_cache(maxsize=None)
def cycle(levels, count=16384):
    tones = list(enumerate(levels, 1))
    return [sum(level * sin(2 * pi * n * i / count) for n, level in tones) for i in range(count)]


def bass(freq, seconds, rate):
    """A warm bass: a few overtones that settle into the fundamental."""
    bright = partials(freq, seconds, rate, (0, 0.45, 0.22, 0.12))
    deep = partials(freq, seconds, rate, (0.7,))
    moments = times(seconds, rate)
    tone = [exp(-t / 1.8) * (d + exp(-t / 0.5) * b) for t, d, b in zip(moments, deep, bright)]
    return shape(tone, 0.008, 0.1, rate)


def pad(freq, seconds, rate):
    """Soft strings that swell and sink."""
    return shape(partials(freq, seconds, rate, (0.5, 0.25, 0.12, 0.05)), seconds * 0.35, seconds * 0.4, rate)


def flute(freq, seconds, rate):
    """A breathy flute, whose vibrato arrives late."""
    out = []
    for t, air in zip(times(seconds, rate), lowpass(noise(int(seconds * rate), "flute", freq), 2500, rate)):
        phase = 2 * pi * freq * t + 0.16 * min(1, t / 0.5) * sin(2 * pi * 5.1 * t)
        out.append(0.62 * sin(phase) + 0.17 * sin(2 * phase) + 0.06 * sin(3 * phase) + 0.03 * air)
    return shape(out, 0.045, 0.11, rate)


def kick(_, seconds, rate):
    """A bass drum: a tone that falls and fades."""
    drop = 0.03
    thump = [
        exp(-t / 0.11) * sin(2 * pi * (50 * t + 70 * drop * (1 - exp(-t / drop))))
        for t in times(min(seconds, 0.5), rate)
    ]
    return shape(thump, 0.002, 0.1, rate)


def rim(_, seconds, rate):
    """A stick on the rim of the drum."""
    knock = [
        exp(-t / 0.014) * (0.6 * sin(2 * pi * 1720 * t) + 0.4 * sin(2 * pi * 820 * t))
        for t in times(min(seconds, 0.12), rate)
    ]
    return shape(knock, 0.001, 0.04, rate)


def shaker(seed, seconds, rate):
    """Seeds in a gourd."""
    moments = times(min(seconds, 0.14), rate)
    hiss = highpass(noise(len(moments), "shaker", seed), 5000, rate)
    return shape([n * exp(-t / 0.035) for n, t in zip(hiss, moments)], 0.014, 0.03, rate)


def brush(seed, seconds, rate):
    """A snare drum struck with brushes."""
    moments = times(min(seconds, 0.3), rate)
    rustle = lowpass(highpass(noise(len(moments), "brush", seed), 900, rate), 6000, rate)
    return shape([n * exp(-t / 0.07) for n, t in zip(rustle, moments)], 0.004, 0.08, rate)


def surf(seed, seconds, rate):
    """A wave that rolls in and runs back over the sand."""
    hiss = noise(int(seconds * rate), "surf", seed)
    return shape(highpass(lowpass(hiss, 900, rate), 150, rate), seconds * 0.45, seconds * 0.5, rate)


def applause(seed, seconds, rate):
    """A few dozen people clapping, each hand in its own time."""
    rng = Random(repr(("applause", seed)))
    claps = [one_clap(rng.uniform(700, 1900), i, rate) for i in range(24)]
    out = [0.0] * int(seconds * rate)
    for _ in range(int(seconds * 130)):
        add(out, rng.choice(claps), int(rng.random() * seconds * rate), rng.uniform(0.05, 0.35))
    return shape(out, 0.7, seconds * 0.55, rate)


def one_clap(pitch, seed, rate):
    """Two hands: a short band of noise."""
    moments = times(0.03, rate)
    band = highpass(lowpass(noise(len(moments), "clap", seed), pitch * 1.5, rate), pitch * 0.6, rate)
    return shape([n * exp(-t / 0.007) for n, t in zip(band, moments)], 0.001, 0.01, rate)


# ------------------------------------------------------------------------- scores

LOUDNESS = {"pp": 0.35, "p": 0.5, "mp": 0.65, "mf": 0.8, "f": 1.0}
STEPS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
TOKEN = re.compile(r"([a-gx][#b]?\d?(?:\+[a-g][#b]?\d)*|r)(?::([\d./]+))?([!?]?)")


@dataclass(frozen=True)
class Note:
    start: Fraction  # in beats
    beats: Fraction
    pitches: tuple  # frequencies
    level: float


def frequency(name):
    """a4 is 440 Hz; x, which has no pitch, is 1."""
    if name == "x":
        return 1.0
    step = STEPS[name[0]] + name.count("#") - name[1:].count("b")
    return 440 * 2 ** ((step - 9) / 12 + int(name[-1]) - 4)


def read(score, bar):
    """Turn a score into notes."""
    clock, beats, level, notes = Fraction(0), Fraction(1), LOUDNESS["mf"], []
    for token in score.split():
        if token == "|":
            if clock % bar:
                raise ValueError(f"bar line at beat {float(clock)} of: {score}")
        elif token in LOUDNESS:
            level = LOUDNESS[token]
        else:
            names, length, mark = TOKEN.fullmatch(token).groups()
            beats = Fraction(length) if length else beats
            if names != "r":
                accent = {"!": 1.25, "?": 0.7, "": 1}[mark]
                pitches = tuple(frequency(name) for name in names.split("+"))
                notes.append(Note(clock, beats, pitches, level * accent))
            clock += beats
    return notes


# Three ways to write a long score short. A chord is its notes, low to high.


def bars(*scores):
    return " | ".join(scores)


def pick(chord, order, beats=".5"):
    """Pick a chord apart: the digits of `order` count its notes from the lowest."""
    notes = chord.split()
    return " ".join(f"{notes[int(i)]}:{beats}" for i in order)


def rhythm(chord, lengths):
    """Play a whole chord in a rhythm such as "1! .5? .5"; "-1" rests for a beat."""
    name = "+".join(chord.split())
    return " ".join(f"r:{n[1:]}" if n[0] == "-" else f"{name}:{n}" for n in lengths.split())


def strokes(pattern, beats=".5"):
    """Drum strokes on a grid: X loud, x plain, o soft, . none."""
    return " ".join({"X": "x:%s!", "x": "x:%s", "o": "x:%s?", ".": "r:%s"}[c] % beats for c in pattern)


# ------------------------------------------------------------------ playing and mixing


@dataclass(frozen=True)
class Part:
    play: Callable
    score: str
    gain: float
    pan: float = 0.0  # -1 left to 1 right
    wet: float = 0.25  # how much of it the room echoes
    ring: float = 0.0  # seconds a note sounds at least
    width: float = 0.0  # cents between its left and its right voice; 0 is one voice
    strum: float = 0.0  # seconds between the notes of a chord


@dataclass(frozen=True)
class Piece:
    track_id: int
    title: str
    artist: str
    artist_id: int
    album: str
    album_id: int
    genre: str
    released: str
    song_seconds: int  # of the whole song, of which the clip is an excerpt
    file: Optional[str] = None  # None: the catalog lists the song without a preview
    seconds: float = 0
    rate: int = 44100
    channels: int = 2
    bitrate: str = "128k"
    tempo: float = 100
    bar: int = 4
    room: float = 1.4  # seconds the echo takes to die away
    parts: tuple = ()


def silence(count):
    return array("d", bytes(8 * count))


def add(target, samples, at, gain):
    """Mix samples into a longer recording; what reaches past its end is dropped."""
    mixed = [t + gain * s for t, s in zip(target[at : at + len(samples)], samples)]
    target[at : at + len(mixed)] = array("d", mixed) if isinstance(target, array) else mixed


@lru_cache(maxsize=None)
def sound(play, freq, seconds, rate):
    """One note of an instrument, worked out once however often it is played."""
    return array("d", play(freq, seconds, rate))


def voices(part):
    """The voices of a part, as (detune in cents, pan)."""
    if part.width:
        return [(-part.width / 2, part.pan - 0.6), (part.width / 2, part.pan + 0.6)]
    return [(0, part.pan)]


def perform(piece, part, number):
    """Play one part, a little unevenly as people do, into a stereo recording."""
    left, right = silence(int(piece.seconds * piece.rate)), silence(int(piece.seconds * piece.rate))
    rng = Random(f"{piece.file} {number}")
    for note in read(part.score, piece.bar):
        seconds = round(max(part.ring, float(note.beats) * 60 / piece.tempo + 0.08), 4)
        start = float(note.start) * 60 / piece.tempo + 0.02 + rng.gauss(0, 0.004)
        level = part.gain * note.level * rng.uniform(0.92, 1.06)
        for i, pitch in enumerate(note.pitches):
            at = max(0, int((start + i * part.strum) * piece.rate))
            for cents, pan in voices(part):
                samples = sound(part.play, pitch * 2 ** (cents / 1200), seconds, piece.rate)
                angle = (1 + max(-1, min(1, pan))) * pi / 4
                add(left, samples, at, level * cos(angle))
                add(right, samples, at, level * sin(angle))
    return left, right


def echoes(samples, delay, feedback):
    """A comb filter whose echoes grow duller each time round."""
    out = [0.0] * (delay + 1)
    for i in range(0, len(samples), delay):
        tail = out[-delay - 1 :]
        out += [s + feedback * (a + b) / 2 for s, a, b in zip(samples[i : i + delay], tail, tail[1:])]
    return out[delay + 1 :]


def diffuse(samples, delay, gain=0.6):
    """An all-pass filter: it smears the echoes without colouring them."""
    past_in, past_out, out = [0.0] * delay, [0.0] * delay, []
    for i in range(0, len(samples), delay):
        block = samples[i : i + delay]
        wave = [x + gain * (y - s) for s, x, y in zip(block, past_in, past_out)]
        out += wave
        past_in, past_out = block, wave
    return out


def reverb(samples, room, rate, offset):
    """A room: parallel echoes, then smeared. The offset sets two walls apart."""
    total = silence(len(samples))
    for ms in (29.7, 33.1, 36.7, 39.5, 42.7, 46.1):
        delay = int((ms + offset) * rate / 1000)
        add(total, echoes(samples, delay, 10 ** (-3 * delay / rate / room)), 0, 0.15)
    out = list(total)
    for ms in (9.1, 5.3, 2.3):
        out = diffuse(out, int((ms + offset / 4) * rate / 1000))
    return highpass(out, 180, rate)


def mix(piece):
    """Play every part, add the room, and bring the whole to an even level."""
    count = int(piece.seconds * piece.rate)
    dry, send = (silence(count), silence(count)), (silence(count), silence(count))
    for number, part in enumerate(piece.parts):
        for side, recording in enumerate(perform(piece, part, number)):
            add(dry[side], recording, 0, 1)
            add(send[side], recording, int(0.018 * piece.rate), part.wet)
    for side, offset in enumerate((0, 0.9)):
        add(dry[side], reverb(send[side], piece.room, piece.rate, offset), 0, 1.6)
    sound.cache_clear()
    return master(dry if piece.channels == 2 else [mono(dry)], piece.rate)


def mono(sides):
    return [(a + b) / 2 for a, b in zip(*sides)]


def master(sides, rate, peak=0.82, drive=1.3):
    """Round off the highest peaks, set the level, and fade the ends to silence."""
    loudest = max(max(map(abs, side)) for side in sides)
    return [
        shape([peak * tanh(drive * s / loudest) / tanh(drive) for s in side], 0.004, 1.6, rate)
        for side in sides
    ]


def pcm(sides):
    """16-bit samples, the channels taking turns."""
    frames = array("h", [round(32767 * s) for frame in zip(*sides) for s in frame])
    if sys.byteorder == "big":
        frames.byteswap()
    return frames.tobytes()


def encode(piece, path):
    """Have ffmpeg write the clip, with nothing in it that changes from run to run."""
    codec = {".m4a": ["-c:a", "aac", "-movflags", "+faststart"], ".mp3": ["-c:a", "libmp3lame", "-id3v2_version", "3"]}
    tags = {"title": piece.title, "artist": piece.artist, "album": piece.album, "genre": piece.genre}
    command = ["ffmpeg", "-v", "error", "-y"]
    command += ["-f", "s16le", "-ar", str(piece.rate), "-ac", str(piece.channels), "-i", "-"]
    command += codec[path.suffix] + ["-b:a", piece.bitrate, "-threads", "1", "-flags:a", "+bitexact"]
    command += ["-fflags", "+bitexact", "-map_metadata", "-1"]
    command += [word for key, value in tags.items() for word in ("-metadata", f"{key}={value}")]
    subprocess.run(command + [str(path)], input=pcm(mix(piece)), check=True)


# --------------------------------------------------------------------- the pieces

# Paper Lanterns: a tune in D, here for a guitar at dusk, and again before an audience.

LANTERN_CHORDS = {
    "D": "d3 a3 d4 f#4 a4",
    "G/D": "d3 g3 b3 d4 f#4",
    "A/C#": "c#3 e3 a3 c#4 e4",
    "Bm": "b2 f#3 a3 d4 f#4",
    "G": "g2 d3 b3 d4 f#4",
    "D/F#": "f#2 d3 a3 d4 f#4",
    "Em": "e2 b2 g3 b3 d4",
    "Asus": "a2 e3 g3 d4 e4",
    "A7": "a2 e3 g3 c#4 e4",
    "G6": "g2 d3 g3 b3 e4",
}
LANTERN_CHANGES = "D D | A/C# A/C# | Bm Bm | G G | D/F# D/F# | Em Em | Asus A7 | G G6"
LANTERN_TUNE = bars(
    "mp f#5:1.5 e5:.5 d5:1 a4:1",
    "c#5:1.5 d5:.5 e5:2",
    "mf d5:1 f#5:1 b5:1.5 a5:.5",
    "a5:.5? g5:.5 f#5:1 d5:2",
    "f#5:1.5 g5:.5 a5:1 d6:1!",
    "b5:1.5 a5:.5 g5:1 e5:1",
    "mp d5:1 e5:1 c#5:1.5 e5:.5",
    "d5:1 b4:1 d5:1 g5:1",
    "p f#5:4",
)
LANTERN_BASS = bars(
    "mf d2:3 a2:1",
    "c#2:3 e2:1",
    "b1:3 f#2:1",
    "g2:3 d2:1",
    "f#2:3 a2:1",
    "e2:3 b1:1",
    "a1:2 a1:1 c#2:1",
    "g1:2 g2:2",
    "mp d2:8",
)


def changes(chart, first, second):
    """Write out a chart of two chords a bar, the halves of each bar in their own way."""
    out = []
    for bar in chart.split("|"):
        one, two = (LANTERN_CHORDS[name] for name in bar.split())
        out.append(first(one) + " " + second(two))
    return bars(*out)


def fingerpicked(chart):
    return changes(chart, lambda c: pick(c, "0123"), lambda c: pick(c, "4232"))


def strummed(chart):
    return changes(chart, lambda c: rhythm(c, "1! .5? .5"), lambda c: rhythm(c, "-.5 .5 .5? .5"))


PAPER_LANTERNS = dict(
    file="paper-lanterns.m4a",
    seconds=30,
    tempo=96,
    room=1.8,
    parts=(
        Part(
            pluck,
            bars(
                "mp",
                fingerpicked("D D | G/D G/D | " + LANTERN_CHANGES),
                "d2+a2+d3+a3+d4+f#4:4",
            ),
            gain=0.5, pan=-0.3, ring=2.2, strum=0.045,
        ),
        Part(bell, bars("r:8", LANTERN_TUNE + " | r:.5 a5:.5? d6:2?"), gain=0.34, pan=0.25, wet=0.45, ring=2.4),
        Part(bass, bars("r:8", LANTERN_BASS), gain=0.4, wet=0.05),
        Part(
            pad,
            bars(
                "r:24 p",
                "a4+d5:4", "b4+d5:4", "a4+d5:2 a4+c#5:2", "g4+d5:4", "f#4+a4+d5:6",
            ),
            gain=0.13, wet=0.6, width=9, strum=0.01,
        ),
        Part(shaker, bars("r:16 p", *[strokes("x.o.x.oo", "1/2")] * 6), gain=0.26, pan=0.45),
    ),
)

PAPER_LANTERNS_LIVE = dict(
    file="paper-lanterns-live.m4a",
    seconds=27,
    tempo=108,
    room=2.6,
    parts=(
        Part(rim, "f x:1 x x x", gain=0.4, pan=0.1, wet=0.6),
        Part(
            pluck,
            bars("r:4 mf", strummed(LANTERN_CHANGES), "f d2+a2+d3+a3+d4+f#4+a4:8"),
            gain=0.26, pan=-0.4, wet=0.35, ring=0.7, strum=0.013,
        ),
        Part(flute, bars("r:4", LANTERN_TUNE), gain=0.42, pan=0.2, wet=0.6),
        Part(bass, bars("r:4", LANTERN_BASS), gain=0.5, wet=0.1),
        Part(kick, bars("r:4", *[strokes("X...x..o")] * 8, "x:1"), gain=0.6, wet=0.1),
        Part(brush, bars("r:4", *[strokes("..x...x.")] * 7, strokes("..x.oxxX")), gain=0.34, pan=0.1, wet=0.4),
        Part(shaker, bars("r:4 mp", *[strokes("xoXo" * 2)] * 8), gain=0.15, pan=0.5),
        Part(applause, "r:37 f x:12", gain=2.4, wet=0.4, width=20),
    ),
)

# Small Hours: an electric piano, alone, in A minor and in no hurry.

SMALL_HOURS = dict(
    file="small-hours.m4a",
    seconds=23,
    channels=1,
    bitrate="96k",
    tempo=72,
    bar=3,
    room=1.6,
    parts=(
        Part(
            keys,
            bars(
                "mp e5:1.5 d5:.5 c5:.5 b4:.5",
                "c5:2 a4:1",
                "g4:1 c5:1 e5:1",
                "mf d5:2 b4:1",
                "f5:1.5! e5:.5 d5:1",
                "e5:1 c5:1 a4:1",
                "mp b4:1.5 d5:.5 g#4:1",
                "p a4:3",
                "pp r:1 e5:1 b5:1 e6:2",
            ),
            gain=0.5, wet=0.3, ring=0.9,
        ),
        Part(
            keys,
            bars(
                "p",
                pick("a2 e3 b3 c4", "012321"),
                pick("f2 c3 a3 e4", "012321"),
                pick("e2 c3 g3 c4", "012321"),
                pick("g2 d3 b3 e4", "012321"),
                "mp " + pick("d2 a2 f3 a3 e4", "012343"),
                pick("c3 e3 a3 c4", "012321"),
                "p " + pick("e2 b2 a3 g#3 d4", "012343"),
                pick("a2 e3 a3 b3 c4", "012343"),
                "pp a1+e2+e3:5",
            ),
            gain=0.5, wet=0.2, ring=1.1, strum=0.06,
        ),
    ),
)

# Tidewater: harp, bells and the sea.

TIDE = "012345765432"
TIDEWATER = dict(
    file="tidewater.m4a",
    seconds=28,
    rate=48000,
    tempo=60,
    room=3.2,
    parts=(
        Part(
            pluck,
            bars(
                "mp " + pick("f2 c3 a3 c4 e4 g4 a4 c5", TIDE, "1/3"),
                pick("d2 a2 f3 a3 c4 e4 f4 a4", TIDE, "1/3"),
                "mf " + pick("bb2 f3 bb3 d4 e4 f4 a4 d5", TIDE, "1/3"),
                pick("a2 e3 g3 c4 e4 g4 a4 c5", TIDE, "1/3"),
                "mp " + pick("g2 d3 f3 bb3 d4 f4 a4 d5", TIDE, "1/3"),
                "p " + pick("c3 g3 bb3 d4 f4 g4 a4 d5", TIDE, "1/3"),
                "f2+c3+f3+a3+c4+e4+g4:4",
            ),
            gain=0.36, pan=-0.25, wet=0.45, ring=2.4, strum=0.11,
        ),
        Part(
            bell,
            bars(
                "p r:1 c6:1 a5 g5",
                "e5:3 g5:1",
                "mp f5:1 a5 d6 c6",
                "c6:1.5 b5:.5? g5:2",
                "a5:1 bb5 a5 f5",
                "p g5:2 d5:2",
                "r:1 e5:.5 g5 c6:2",
            ),
            gain=0.3, pan=0.3, wet=0.7, ring=3,
        ),
        Part(
            pad,
            bars(
                "mp a3+c4+e4:4.6 r:3.4",
                "f3+a3+d4:4.6 r:3.4",
                "f3+bb3+d4:4.6 r:3.4",
                "p f3+a3+c4:4",
            ),
            gain=0.17, wet=0.6, width=10,
        ),
        Part(
            pad,
            bars("r:4 mp", "a3+c4+e4:4.6 r:3.4", "g3+c4+e4:4.6 r:3.4", "f3+bb3+c4:4.6"),
            gain=0.17, wet=0.6, width=10,
        ),
        Part(bass, "f2:4 | d2 | bb1 | a1 | g1 | c2 | p f1+f2", gain=0.36, wet=0.1),
        Part(surf, "p r:.5 x:7.5 | x:8 | x:9", gain=0.6, wet=0.2, width=15),
    ),
)

# Doorbell Waltz: somebody is at the door, in three-four time.

DOORBELL_WALTZ = dict(
    file="doorbell-waltz.mp3",
    seconds=6.5,
    bitrate="112k",
    tempo=162,
    bar=3,
    parts=(
        Part(
            bell,
            bars(
                "mf e5:1! g5:.5 e5 c5:1",
                "d5:1! f5:.5 d5 b4:1",
                "c5:.5 d5 e5 f5 g5 b5",
                "c6:1! e5:1? g5+c6:3",
            ),
            gain=0.34, pan=0.2, wet=0.3, ring=1.4,
        ),
        Part(
            pluck,
            bars(
                "mp c3:1 e4+g4 e4+g4",
                "g2:1 f4+g4 f4+g4",
                "d3:1 f4+a4 g3+f4",
                "c3:1 e4+g4? c3+g3+e4:3",
            ),
            gain=0.6, pan=-0.25, ring=0.5, strum=0.01,
        ),
        Part(bass, "c2:2.5 r:.5 | g1:2.5 r:.5 | d2:2 g1:1 | c2:4", gain=0.36, wet=0.05),
    ),
)

# Saturday Errands: a bossa nova with a list in its pocket.


def comp(chord):
    return rhythm(chord, "-.5 1! 1.5 1?")


def stroll(root, fifth):
    return f"{root}:1.5 {fifth}:.5? {fifth}:1.5 {root}:.5?"


SATURDAY_ERRANDS = dict(
    file="saturday-errands.mp3",
    seconds=28,
    tempo=118,
    room=1.0,
    parts=(
        Part(
            marimba,
            bars(
                "r:8",
                "mf r:.5 d5 b4 d5:1! f#5:.5 e5 d5",
                "r:.5 b4 d5 e5:1! g#5:.5 f5 e5",
                "r:.5 c5 e5 g5:1! a5:.5 g5 e5",
                "f#5:1.5 e5:.5 c5:2",
                "r:.5 d5 f#5 a5:1! b5:.5 a5 f#5",
                "g#5:1.5 f#5:.5 e5:1 d5",
                "c5:1 e5 a5:.5! f#5 e5 c5",
                "b4:1.5 d5:.5 g5:2",
                "r:.5 c5 e5 g5 f#5:1! a5",
                "b5:1.5! a5:.5? g5:.5 d5:.5? b4:1?",
                "d5+g5:1!",
            ),
            gain=0.5, pan=0.25, wet=0.3, ring=0.9,
        ),
        Part(
            keys,
            bars(
                "mp",
                comp("b3 d4 f#4 a4"),
                comp("c4 e4 f#4 a4"),
                comp("b3 d4 f#4 a4"),
                comp("g#3 d4 f4 b4"),
                comp("g3 c4 e4 b4"),
                comp("f#3 c4 e4 a4"),
                comp("a3 d4 f#4"),
                comp("g#3 d4 f#4 b4"),
                rhythm("g3 c4 e4 b4", "-.5 1! .5") + " " + rhythm("f#3 c4 e4 a4", "1 1?"),
                comp("b3 d4 f#4 a4"),
                rhythm("g3 c4 e4 b4", "-.5 1! .5") + " " + rhythm("f#3 c4 e4 a4", "1 1?"),
                comp("b3 d4 f#4 a4"),
                "mf g3+b3+d4+f#4+a4:8",
            ),
            gain=0.24, pan=-0.35, wet=0.3, strum=0.006,
        ),
        Part(
            bass,
            bars(
                "mf",
                stroll("g2", "d2"),
                stroll("d2", "a2"),
                stroll("g2", "d2"),
                stroll("e2", "b2"),
                stroll("a2", "e2"),
                stroll("d2", "a2"),
                stroll("b1", "f#2"),
                stroll("e2", "b2"),
                "a2:1.5 e2:.5? d2:1.5 d2:.5?",
                stroll("g2", "d2"),
                "a2:1.5 e2:.5? d2:1.5 d2:.5?",
                stroll("g2", "d2"),
                "mp g1+g2:8",
            ),
            gain=0.45, wet=0.05,
        ),
        Part(kick, bars(*[strokes("x..ox..o")] * 12, "x:1"), gain=0.5, wet=0.05),
        Part(rim, bars(*[strokes("x..x..x...x..x..")] * 6, "x:1!"), gain=0.26, pan=-0.1, wet=0.3),
        Part(shaker, bars("mp", *[strokes("xoXo" * 4, ".25")] * 12), gain=0.3, pan=0.5, wet=0.15),
    ),
)

INKWELL, FERROW, LUMEN, HALFPENNY = "The Inkwell Trio", "Nils Ferrow", "Lumen Estuary", "Halfpenny Orchestra"

PIECES = (
    Piece(1001, "Paper Lanterns", INKWELL, 101, "Evening Class", 201, "Folk", "2026-01-01", 193, **PAPER_LANTERNS),
    Piece(
        1002, "Paper Lanterns (Live)", INKWELL, 101, "Live at the Boathouse", 202, "Folk", "2026-04-17", 214,
        **PAPER_LANTERNS_LIVE,
    ),
    Piece(1003, "Small Hours", FERROW, 102, "Night Bus", 203, "Jazz", "2025-11-07", 151, **SMALL_HOURS),
    Piece(1004, "Tidewater", LUMEN, 103, "Slack Water", 204, "Ambient", "2025-06-20", 268, **TIDEWATER),
    Piece(
        1005, "Saturday Errands", HALFPENNY, 104, "Small Change", 205, "Latin", "2026-02-13", 176,
        **SATURDAY_ERRANDS,
    ),
    Piece(
        1006, "Doorbell Waltz", HALFPENNY, 104, "Small Change", 205, "Instrumental", "2026-02-13", 7,
        **DOORBELL_WALTZ,
    ),
    Piece(1007, "Unfinished Letter", FERROW, 102, "Night Bus", 203, "Jazz", "2025-11-07", 164),
)


# -------------------------------------------------------------------- the catalog


def entry(piece):
    """A song as a catalog lists it: the fields of an iTunes Search API result."""
    preview = {"previewUrl": f"{HERE.name}/{piece.file}"} if piece.file else {}
    return {
        "wrapperType": "track",
        "kind": "song",
        "artistId": piece.artist_id,
        "collectionId": piece.album_id,
        "trackId": piece.track_id,
        "artistName": piece.artist,
        "collectionName": piece.album,
        "trackName": piece.title,
        **preview,
        "releaseDate": f"{piece.released}T12:00:00Z",
        "trackExplicitness": "notExplicit",
        "trackTimeMillis": piece.song_seconds * 1000,
        "country": "USA",
        "primaryGenreName": piece.genre,
    }


def write_catalog():
    results = [entry(piece) for piece in PIECES]
    text = json.dumps({"resultCount": len(results), "results": results}, indent=2, ensure_ascii=False)
    CATALOG.write_text(text + "\n", encoding="utf-8")


def main(wanted):
    clips = {Path(piece.file).stem: piece for piece in PIECES if piece.file}
    unknown = [slug for slug in wanted if slug not in clips]
    if unknown:
        sys.exit(f"No such clip: {', '.join(unknown)}. There are: {', '.join(clips)}.")
    if not shutil.which("ffmpeg"):
        sys.exit("ffmpeg is needed to encode the clips, and is not on PATH.")
    for slug in wanted or clips:
        path = HERE / clips[slug].file
        encode(clips[slug], path)
        print(f"{path.name:28}{clips[slug].seconds:5g} s{path.stat().st_size / 1000:8.0f} kB")
    write_catalog()


if __name__ == "__main__":
    main(sys.argv[1:])
