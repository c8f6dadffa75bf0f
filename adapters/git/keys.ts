import type Ssh2 from 'ssh2'
import type { ParsedKey } from 'ssh2'
import type { SshKeys } from '../../functions/core/ports/source-keys.ts'

/**
 * Returns a new pair of ed25519 keys. One in 256 of ssh2 lacks the first byte of its public part,
 * which is zero, and no program can read it: another pair takes its place.
 */
function newPair({ utils }: typeof Ssh2, comment: string): { public: string; private: string } {
  for (;;) {
    const made = utils.generateKeyPairSync('ed25519', { comment })
    if (!(utils.parseKey(made.public) instanceof Error)) return made
  }
}

/** Returns what makes and reads keys for git over ssh. */
export const sshKeys = (): SshKeys => ({
  async make(comment) {
    const made = newPair((await import('ssh2')).default, comment)
    return { privateKey: made.private, publicKey: made.public.trim() }
  },
  // No passphrase: an encrypted key says itself for how long the process computes to decrypt it.
  async read(privateKey, comment) {
    const { utils } = (await import('ssh2')).default
    // The parser returns nothing for a file of OpenSSH whose private part is empty.
    const parsed = utils.parseKey(privateKey) as ParsedKey | Error | undefined
    if (!parsed || parsed instanceof Error || !parsed.isPrivateKey()) return undefined
    const encoded = parsed.getPublicSSH().toString('base64')
    return { privateKey, publicKey: `${parsed.type} ${encoded} ${comment}` }
  },
})
