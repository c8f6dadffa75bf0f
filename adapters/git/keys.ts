import type { SourceKeys } from '../../functions/core/ports/source-keys.ts'

/** Returns what makes and reads keys for git over ssh. */
export const sshKeys = (): SourceKeys => ({
  async make(comment) {
    const { utils } = (await import('ssh2')).default
    const made = utils.generateKeyPairSync('ed25519', { comment })
    return { privateKey: made.private, publicKey: made.public.trim() }
  },
  // No passphrase: an encrypted key says itself for how long the process computes to decrypt it.
  async read(privateKey, comment) {
    const { utils } = (await import('ssh2')).default
    const parsed = utils.parseKey(privateKey)
    if (parsed instanceof Error || !parsed.isPrivateKey()) return undefined
    const encoded = parsed.getPublicSSH().toString('base64')
    return { privateKey, publicKey: `${parsed.type} ${encoded} ${comment}` }
  },
})
