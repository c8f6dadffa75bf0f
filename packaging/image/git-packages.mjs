import { readFileSync } from 'node:fs'

/**
 * The packages of Debian 12 with git, its helper for https and prlimit, and with the libraries that
 * these load, as `ldd` shows them. The package git depends on more: perl for scripts, and libexpat1
 * for `git http-push`. The service starts neither.
 */
const packages = [
  'git',
  'libbrotli1',
  'libcom-err2',
  'libcurl3-gnutls',
  'libffi8',
  'libgmp10',
  'libgnutls30',
  'libgssapi-krb5-2',
  'libhogweed6',
  'libidn2-0',
  'libk5crypto3',
  'libkeyutils1',
  'libkrb5-3',
  'libkrb5support0',
  'libldap-2.5-0',
  'libnettle8',
  'libnghttp2-14',
  'libp11-kit0',
  'libpcre2-8-0',
  'libpsl5',
  'librtmp1',
  'libsasl2-2',
  'libsmartcols1',
  'libssh2-1',
  'libssl3',
  'libtasn1-6',
  'libunistring2',
  'libzstd1',
  'util-linux',
  'zlib1g',
]

/**
 * Returns the packages that give an image git. There are none on another release than Debian 12:
 * the names differ there, or git is too old.
 */
export const gitPackages = () => (isDebian12() ? packages : [])

const isDebian12 = () =>
  /^VERSION_CODENAME="?bookworm"?$/m.test(readFileSync('/etc/os-release', 'utf8'))

/**
 * The service starts `prlimit` and git, and git starts itself and `git-remote-https`, which is a
 * link to `git-remote-http`. All other names in `git-core` are the same program as git, or scripts
 * for a shell or perl. Modules that libraries load on demand, libssl and the encoder of brotli are
 * not used.
 */
const needed =
  /^usr\/(bin\/(git|prlimit)|lib\/git-core\/git-remote-https?|share\/doc\/[^/]+\/copyright)$|^(usr\/)?lib\/[^/]+-linux-gnu\/lib(?!ssl\.|brotlienc\.)[^/]+\.so[.\d]*$/

/**
 * Returns whether the image has this file of the packages of git.
 *
 * @param {string} path
 */
export const isNeededForGit = (path) => needed.test(path)
