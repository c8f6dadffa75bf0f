import type { SourceKeys } from '../../ports/source-keys.ts'
import type { AgeKey } from '../../records/source-address.ts'

/** Characters of a data key that one recipient can open: other kinds of recipients need more. */
const encryptedKeyMax = 2048

/** Other ways in which sops keeps the key of a file. */
const otherServices = ['pgp', 'kms', 'gcp_kms', 'azure_kv', 'hc_vault']

/**
 * Returns the key with which the values of a file are encrypted.
 *
 * @param metadata what sops says of the file
 * @param refusal makes the error that is thrown
 */
export async function dataKeyOf(
  metadata: ReadonlyMap<string, string>,
  age: AgeKey,
  { decryptAge }: Pick<SourceKeys, 'decryptAge'>,
  refusal: (why: string) => Error,
): Promise<Uint8Array> {
  const has = (group: string) => [...metadata.keys()].some((one) => one.startsWith(`${group}.`))
  if (has('key_groups') || metadata.has('shamir_threshold')) {
    throw refusal(`but with key groups: encrypt it for ${age.recipient} without groups`)
  }
  const encrypted = encryptedFor(metadata, age.recipient)
  if (encrypted === undefined) {
    const services = has('age') ? [] : otherServices.filter(has)
    const forOthers = services.length > 0 ? `only with ${services.join(' and ')}` : 'for others'
    const add = `add ${age.recipient} to .sops.yaml, and run \`sops updatekeys\` on the file`
    throw refusal(`but ${forOthers}: ${add}`)
  }
  const key =
    encrypted.length > encryptedKeyMax ? undefined : await decryptAge(encrypted, age.identity)
  if (key?.length === 32) return key
  throw refusal('and its data key is damaged: run `sops updatekeys` on the file')
}

/** Returns the data key as it is encrypted for a recipient: only one is tried. */
function encryptedFor(
  metadata: ReadonlyMap<string, string>,
  recipient: string,
): string | undefined {
  for (const [place, text] of metadata) {
    const [, index] = /^age\.(\d+)\.recipient$/.exec(place) ?? []
    if (index !== undefined && text === recipient) return metadata.get(`age.${index}.enc`) ?? ''
  }
  return undefined
}
