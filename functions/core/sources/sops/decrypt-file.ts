import { createHash } from 'node:crypto'
import { ownEntry } from '../../../compose/lookup.ts'
import type { SourceKeys } from '../../ports/source-keys.ts'
import type { AgeKey } from '../../records/source-address.ts'
import { textIfUtf8 } from '../../stacks/new-file.ts'
import { dataKeyOf } from './data-key.ts'
import type { PlainValue, SopsDocument, SopsValue, UnreadFile } from './document.ts'
import { dotenvDocument } from './dotenv-document.ts'
import { notDecrypted } from './not-decrypted.ts'
import { encryptedMark, formOf, type SopsForm } from './sops-form.ts'
import { isEncrypted, tryDecrypt } from './value-cipher.ts'

/** Bytes and values of a file that is decrypted. It is read within one turn of the process. */
const bytesMax = 128 * 1024
const valuesMax = 10_000

/**
 * Decrypts a file that sops encrypted for an age key: YAML or variables. Comments that sops
 * encrypted stay as they are.
 *
 * @param path its path, for messages
 * @param age the key of its source; undefined if that has none yet
 * @param countParsed is called with the bytes of a file before it is parsed, and may throw: files
 *   are parsed in turns of the process
 * @returns the file without what sops adds, or undefined if sops did not encrypt it
 * @throws SourceFailure `not-decrypted`, which names the file and no value of it
 */
export async function decryptFile(
  path: string,
  content: Uint8Array,
  age: AgeKey | undefined,
  sourceKeys: Pick<SourceKeys, 'decryptAge'>,
  countParsed: (bytes: number) => void = () => {},
): Promise<Uint8Array | undefined> {
  if (!bufferOf(content).includes(encryptedMark)) return undefined
  const text = textIfUtf8(content)
  const form = text === undefined ? undefined : formOf(path, text)
  if (text === undefined || form === undefined) return undefined
  const refusal = (why: string) => notDecrypted(path, why)
  if (form === 'other') throw refusal(otherForm)
  if (content.length > bytesMax) {
    throw refusal(`and it has ${content.length} bytes, more than ${bytesMax}: split it`)
  }
  countParsed(content.length)
  const document = await documentOf(form, text)
  if ('problem' in document) {
    throw refusal(`but line ${document.line} is not read: ${document.problem}`)
  }
  checkMetadata(document, refusal)
  if (!age) {
    throw refusal(
      'and its source has no age key yet: save the source again, and encrypt the file for its age_recipient',
    )
  }
  const key = await dataKeyOf(document.metadata, age, sourceKeys, refusal)
  return Buffer.from(document.print(plainValues(document, key, refusal)))
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const otherForm =
  'but as JSON, INI or one block: only YAML and files of variables are decrypted, so encrypt it as one of these'

async function documentOf(
  form: Exclude<SopsForm, 'other'>,
  text: string,
): Promise<SopsDocument | UnreadFile> {
  if (form === 'dotenv') return dotenvDocument(text, valuesMax)
  // Loaded with the first such file: the service parses no other YAML in its own process.
  const { yamlDocument } = await import('./yaml-document.ts')
  return yamlDocument(text, valuesMax)
}

/** @throws the refusal if the file lacks what its values need, or proves too little */
function checkMetadata({ metadata }: SopsDocument, refusal: (why: string) => Error): void {
  if (!metadata.get('mac') || !metadata.get('lastmodified')) {
    throw refusal('but without its MAC or time: encrypt it again')
  }
  if (metadata.get('mac_only_encrypted') === 'true') {
    throw refusal(
      'but with mac_only_encrypted, so nothing proves its other values: encrypt it again without that',
    )
  }
}

/** The types of values, with their texts. */
const types: Readonly<Record<string, RegExp>> = {
  str: /^/,
  int: /^-?\d+$/,
  float: /^-?\d+(\.\d+)?$/,
  bool: /^(True|False)$/,
}

/**
 * Returns the decrypted values; undefined for those that are not encrypted.
 *
 * @throws the refusal if a value or the MAC is another one than sops wrote
 */
function plainValues(
  { metadata, values }: SopsDocument,
  key: Uint8Array,
  refusal: (why: string) => Error,
): (PlainValue | undefined)[] {
  const changed = (where: string) =>
    refusal(`but ${where} was changed since: edit it with \`sops\`, and push it again`)
  const hash = createHash('sha512')
  const plain = values.map((value) => {
    const found = isEncrypted(value.text) ? tryDecrypt(value.text, key, placeOf(value)) : undefined
    if (!found && isEncrypted(value.text)) throw changed(`line ${value.line}`)
    if (found && !ownEntry(types, found.type)?.test(found.text)) {
      throw refusal(
        `but line ${value.line} has the type ${found.type}, which is not read: make it a text in quotes`,
      )
    }
    hash.update(found ? found.text : value.covered)
    return found
  })
  const mac = tryDecrypt(metadata.get('mac') ?? '', key, metadata.get('lastmodified') ?? '')
  if (mac?.text !== hash.digest('hex').toUpperCase()) throw changed('a value')
  return plain
}

const placeOf = ({ keys }: SopsValue): string => `${keys.join(':')}:`
