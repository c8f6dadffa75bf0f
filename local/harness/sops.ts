import { createCipheriv, createHash, type Hash, randomBytes } from 'node:crypto'
import { encryptArchive } from '../../adapters/blobs/age.ts'

type Scalar = string | number | boolean
type Node = Scalar | Node[] | { [key: string]: Node }

/** What a test encrypts. Values below keys that end in `_unencrypted` stay readable. */
export type SopsTree = { [key: string]: Node }

/** How a file differs from what sops writes by default. */
export interface SopsChange {
  /** Lines that are added to what sops says of a file, in the form of the file. */
  more?: string[]
  /** The type that values have, instead of their own. */
  type?: string
}

const lastModified = '2026-11-30T12:00:00Z'
const indent = '    '

/** Returns a YAML file as sops encrypts it for a recipient of age. */
export async function sopsYaml(
  tree: SopsTree,
  recipient: string,
  { more = [], type }: SopsChange = {},
): Promise<string> {
  const file = sealing(type)
  const lines = yamlLines(tree, [], '', file.seal)
  const armored = await armoredKey(file.key, recipient)
  return [
    ...lines,
    'sops:',
    `${indent}age:`,
    `${indent}${indent}- recipient: ${recipient}`,
    `${indent}${indent}  enc: |`,
    ...armored
      .trim()
      .split('\n')
      .map((line) => `${indent.repeat(3)}${line}`),
    `${indent}lastmodified: "${lastModified}"`,
    `${indent}mac: ${file.mac()}`,
    ...more.map((line) => `${indent}${line}`),
    `${indent}version: 3.10.2`,
    '',
  ].join('\n')
}

/** Returns a file of variables as sops encrypts it for a recipient of age. */
export async function sopsEnv(
  variables: Record<string, string>,
  recipient: string,
  { more = [], type }: SopsChange = {},
): Promise<string> {
  const file = sealing(type)
  const lines = Object.entries(variables).map(([name, value]) => {
    const sealed = file.seal(value, [name])
    return `${name}=${sealed.startsWith('ENC[') ? sealed : value.replaceAll('\n', '\\n')}`
  })
  const armored = await armoredKey(file.key, recipient)
  return [
    '# A comment',
    ...lines,
    `sops_age__list_0__map_enc=${armored.replaceAll('\n', '\\n')}`,
    `sops_age__list_0__map_recipient=${recipient}`,
    `sops_lastmodified=${lastModified}`,
    `sops_mac=${file.mac()}`,
    ...more,
    'sops_version=3.10.2',
    '',
  ].join('\n')
}

type Seal = (value: Scalar, keys: string[]) => string

/** A new data key, with what encrypts values by it and what proves all of them. */
function sealing(type: string | undefined): { key: Buffer; seal: Seal; mac(): string } {
  const key = randomBytes(32)
  const hash: Hash = createHash('sha512')
  return {
    key,
    seal(value, keys) {
      const [own, text] = typed(value)
      hash.update(text)
      if (text === '' || keys.some((one) => one.endsWith('_unencrypted'))) {
        return JSON.stringify(value)
      }
      return encrypted(text, { key, bound: `${keys.join(':')}:`, type: type ?? own })
    },
    mac() {
      const text = hash.digest('hex').toUpperCase()
      return encrypted(text, { key, bound: lastModified, type: 'str' })
    },
  }
}

/** Returns the type of a value and its text, as sops encrypts them. */
function typed(value: Scalar): [type: string, text: string] {
  if (typeof value === 'string') return ['str', value]
  if (typeof value === 'boolean') return ['bool', value ? 'True' : 'False']
  return [Number.isInteger(value) ? 'int' : 'float', String(value)]
}

function encrypted(
  text: string,
  { key, bound, type }: { key: Buffer; bound: string; type: string },
): string {
  const iv = randomBytes(32)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  cipher.setAAD(Buffer.from(bound))
  const data = Buffer.concat([cipher.update(text), cipher.final()])
  const [content, nonce, tag] = [data, iv, cipher.getAuthTag()].map((one) => one.toString('base64'))
  return `ENC[AES256_GCM,data:${content},iv:${nonce},tag:${tag},type:${type}]`
}

function yamlLines(node: Node[] | SopsTree, keys: string[], pad: string, seal: Seal): string[] {
  if (Array.isArray(node)) {
    return node.flatMap((item) => {
      if (typeof item !== 'object') return `${pad}- ${seal(item, keys)}`
      const [first = '', ...others] = yamlLines(item, keys, `${pad}  `, seal)
      return [`${pad}- ${first.trimStart()}`, ...others]
    })
  }
  return Object.entries(node).flatMap(([key, value]) => {
    const path = [...keys, key]
    if (typeof value !== 'object') return `${pad}${key}: ${seal(value, path)}`
    return [`${pad}${key}:`, ...yamlLines(value, path, `${pad}${indent}`, seal)]
  })
}

/** Returns a data key in the armor of age. */
async function armoredKey(key: Buffer, recipient: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of encryptArchive(oneOf(key), [recipient])) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('base64')
  const lines = text.match(/.{1,64}/g) ?? []
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} AGE ENCRYPTED FILE-----`)
  return [begin, ...lines, end, ''].join('\n')
}

async function* oneOf(content: Buffer) {
  yield content
}
