import type { ParsedKey } from 'ssh2'
import type { SshKeys } from '../../functions/core/ports/source-keys.ts'

/** Returns what makes and reads keys for git over ssh. */
export const sshKeys = (): SshKeys => ({
  async make(comment) {
    const { utils } = (await import('ssh2')).default
    const made = utils.generateKeyPairSync('ed25519', { comment })
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
