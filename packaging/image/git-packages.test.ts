import { expect, test } from 'vitest'
import { isNeededForGit } from './git-packages.mjs'

test('keeps the programs that are started, their libraries and licences', () => {
  const kept = [
    'usr/bin/git',
    'usr/bin/prlimit',
    'usr/lib/git-core/git-remote-http',
    'usr/lib/git-core/git-remote-https',
    'usr/lib/x86_64-linux-gnu/libcurl-gnutls.so.4',
    'usr/lib/aarch64-linux-gnu/libldap-2.5.so.0.1.8',
    'usr/lib/x86_64-linux-gnu/libcrypto.so.3',
    'lib/x86_64-linux-gnu/libz.so.1.2.13',
    'usr/share/doc/libp11-kit0/copyright',
  ]
  expect(kept.filter((path) => !isNeededForGit(path))).toEqual([])
})

test('leaves out scripts, other names of git, other programs and modules', () => {
  const leftOut = [
    'usr/bin/git-shell',
    'usr/bin/unshare',
    'bin/su',
    'sbin/agetty',
    'usr/lib/git-core/git',
    'usr/lib/git-core/git-remote-ftp',
    'usr/lib/git-core/git-submodule',
    'usr/lib/git-core/mergetools/vimdiff',
    'usr/lib/x86_64-linux-gnu/engines-3/afalg.so',
    'usr/lib/x86_64-linux-gnu/ossl-modules/legacy.so',
    'usr/lib/x86_64-linux-gnu/libssl.so.3',
    'usr/lib/x86_64-linux-gnu/libbrotlienc.so.1.0.9',
    'usr/share/doc/git/contrib/subtree/git-subtree.sh',
    'usr/share/git-core/templates/hooks/update.sample',
    'usr/share/man/man1/prlimit.1.gz',
    'etc/pam.d/su',
  ]
  expect(leftOut.filter(isNeededForGit)).toEqual([])
})
