import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto'

type Headers = Readonly<Record<string, string | undefined>>

/**
 * What a request says to prove that it knows the secret: signatures of its body (HMAC-SHA256, in
 * hex), as GitHub, Gitea and Forgejo send them, or the secret itself, as GitLab and curl do.
 */
export interface Proof {
  signatures: readonly string[]
  secrets: readonly string[]
}

/** Returns the proof in the headers of a request, whose names are in lower case. */
export function proofOf(headers: Headers): Proof {
  const [, ofGithub] = /^sha256=(.*)$/i.exec(headers['x-hub-signature-256'] ?? '') ?? []
  const [, bearer] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  return {
    signatures: given(ofGithub, headers['x-gitea-signature'], headers['x-forgejo-signature']),
    secrets: given(headers['x-gitlab-token'], bearer),
  }
}

const given = (...values: (string | undefined)[]): string[] =>
  values.flatMap((value) => (value ? [value.trim()] : []))

/** Returns the signature of a body under a secret, to which the body is to be added. */
export const signatureOf = (secret: string): Hmac => createHmac('sha256', secret)

/** Returns whether one of the proofs is right. It takes as long if none is. */
export function isProven(proof: Proof, secret: string, signature: Hmac): boolean {
  const made = signature.digest('hex')
  const right = [
    ...proof.signatures.map((one) => isSame(one.toLowerCase(), made)),
    ...proof.secrets.map((one) => isSame(one, secret)),
  ]
  return right.includes(true)
}

/** The hashes have one length, so that the time tells nothing of the texts. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(hashOf(one), hashOf(other))

const hashOf = (text: string) => createHash('sha256').update(text).digest()
