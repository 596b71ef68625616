# shellcheck shell=sh
# Sourced. debian_archive: prints where this machine's apt finds Debian 12, so that no
# script names a host. Empty if apt has no list of it (yet).
debian_archive() {
    # shellcheck disable=SC2016  # apt's own placeholders
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' |
        awk '$2 == "bookworm" && $3 == "Debian" { print $1; exit }'
}
