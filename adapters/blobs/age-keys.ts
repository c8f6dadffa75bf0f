import type { AgeKeys } from '../../functions/core/ports/source-keys.ts'

/** An X25519 identity: other kinds, such as those of plugins, are no part of the format. */
const identityForm = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/

/** Returns what makes and reads keys of age, and decrypts with them. */
export const ageKeys = (): AgeKeys => ({
  async makeAge() {
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
    const identity = await generateX25519Identity()
    return { identity, recipient: await identityToRecipient(identity) }
  },
  async readAge(identityFile) {
    const lines = identityFile.split('\n').map((line) => line.trim())
    const [identity, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#'))
    if (identity === undefined || others.length > 0 || !identityForm.test(identity)) {
      return undefined
    }
    const recipient = await tryRecipient(identity)
    return recipient === undefined ? undefined : { identity, recipient }
  },
  decryptAge: tryDecrypt,
})

/** Returns undefined if the checksum of the identity is wrong. */
async function tryRecipient(identity: string): Promise<string | undefined> {
  const { identityToRecipient } = await import('age-encryption')
  try {
    return await identityToRecipient(identity)
  } catch {
    return undefined
  }
}

async function tryDecrypt(armored: string, identity: string): Promise<Uint8Array | undefined> {
  const { armor, Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    return await decrypter.decrypt(armor.decode(armored))
  } catch {
    return undefined
  }
}
