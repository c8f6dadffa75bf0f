import { semantic } from '../yaml/problem.ts'
import type { Path, TreeMap } from '../yaml/tree.ts'
import { emptyMap, mapAt, mapOf } from '../yaml/tree.ts'

const propagations = ['private', 'rprivate', 'shared', 'rshared', 'slave', 'rslave']

/**
 * Parses `[source:]target[:options]` into long form. A source that looks like a path makes a bind,
 * any other source a named volume, and no source an anonymous volume. A single letter before a
 * colon is a Windows drive, as in the Compose tools.
 *
 * @throws Problem at `path`
 */
export function parseVolume(spec: string, path: Path = []): TreeMap {
  if (spec === '') throw semantic(path, 'invalid empty volume spec')
  const volume = emptyMap()
  // A spec this short can only be a target.
  if (spec.length <= 2) {
    volume.type = 'volume'
    volume.target = spec
    return volume
  }
  const fields = splitFields(spec)
  if (fields.some((field) => field === '')) {
    throw semantic(path, `invalid spec: ${spec}: empty section between colons`)
  }
  const [first, second, third] = fields as [string, string | undefined, string | undefined]
  if (fields.length > 3) throw semantic(path, `invalid spec: ${spec}: too many colons`)
  if (second === undefined) {
    volume.target = first
    return withType(volume)
  }
  volume.source = first
  volume.target = second
  const options = third === undefined ? [] : third.split(',')
  for (const option of options) applyOption(volume, option)
  return withType(volume)
}

/** Splits at colons, except those in `C:\` and `${V:-default}`. */
function splitFields(spec: string): string[] {
  const fields: string[] = []
  let field = ''
  let braces = 0
  for (let at = 0; at < spec.length; at++) {
    const character = spec.charAt(at)
    if (character === '{' && (spec[at - 1] === '$' || braces > 0)) braces += 1
    else if (character === '}' && braces > 0) braces -= 1
    // A single letter is a Windows drive.
    const parts = character === ':' && braces === 0 && !/^\p{L}$/u.test(field)
    if (parts) {
      fields.push(field)
      field = ''
    } else field += character
  }
  return [...fields, field]
}

function applyOption(volume: TreeMap, option: string): void {
  const word = option.toLowerCase()
  if (word === 'ro') volume.read_only = true
  else if (word === 'nocopy') volume.volume = mapOf([['nocopy', true]])
  else if (option === 'z' || option === 'Z') setBind(volume, 'selinux', option)
  else if (propagations.includes(option)) setBind(volume, 'propagation', option)
}

function setBind(volume: TreeMap, key: string, value: string): void {
  volume.bind = mapOf([...Object.entries(mapAt(volume, 'bind')), [key, value]])
}

function withType(volume: TreeMap): TreeMap {
  const source = typeof volume.source === 'string' ? volume.source : ''
  if (source !== '' && isPathLike(source)) {
    volume.type = 'bind'
    volume.bind ??= emptyMap()
    delete volume.volume
  } else {
    volume.type = 'volume'
    volume.volume ??= emptyMap()
  }
  return volume
}

const isPathLike = (source: string): boolean => /^[./~\\]/.test(source) || /^[A-Za-z]:/.test(source)
