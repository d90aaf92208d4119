# The Debian packages preview needs, and how to get those that are missing. To be sourced.

build_packages=(
  libcurl4-openssl-dev libssl-dev libsqlite3-dev libmpg123-dev libpulse-dev
  libavformat-dev libavcodec-dev libavutil-dev libswresample-dev
)
run_packages=(libcurl4 pulseaudio-utils)
test_packages=(nginx-light pulseaudio pulseaudio-utils ffmpeg mpg123 curl tmux)

# Installs the packages named, quietly and only if they are missing.
install_missing() {
  local missing=() package
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "Installing ${missing[*]}..." >&2
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq >&2
  # nginx and the like are started by whoever needs them, not by their installation.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 "${sudo[@]}" apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null
}
