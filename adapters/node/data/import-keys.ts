import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Config } from '../config/config.ts'
import { keyIdIn, parseKeys } from '../config/key-text.ts'
import { type KeyPlace, namesOf, readKeyRing, ringName, rings } from '../keys/key-ring.ts'
import { removedIds } from './removed-keys.ts'

const singles = ['signing-keys.json', 'internal-secret', 'backup-identity.txt']

/** Returns the names of the key files in a data directory that can be copied to the store. */
export async function keyFileNames(files: KeyStore): Promise<string[]> {
  const found = singles.map(async (name) => ((await files.find(name)) ? [name] : []))
  const inRings = rings.map((name) => namesOf({ keys: files, name }))
  return (await Promise.all([...found, ...inRings])).flat()
}

/** Names of key files: those that were copied, and those of which the store has another text. */
export interface Imported {
  copied: string[]
  differing: string[]
}

/**
 * Copies the key files that the store lacks, except deleted keys. Replaces nothing there and leaves
 * the files as they are, so it can be interrupted and repeated. `isFirst`: until the first import
 * has ended, the secret for the set-up is copied too.
 */
export async function importKeys(
  { files, stored }: { files: KeyStore; stored: KeyStore },
  { secretKey, auditKey }: Pick<Config, 'secretKey' | 'auditKey'>,
  isFirst: boolean,
): Promise<Imported> {
  const imported: Imported = { copied: [], differing: [] }
  for (const name of singles) {
    const outcome = await importSingle(name, files, stored)
    if (outcome) imported[outcome].push(name)
  }
  // Then the files may be those of another installation, whose other keys must not come here.
  const isForeign = imported.differing.some((name) => name !== 'signing-keys.json')
  if (isFirst && isForeign) return imported
  if (isFirst) await importSingle('setup-secret', files, stored)
  const configured = { 'secret-key': secretKey, 'audit-key': auditKey }
  for (const name of rings) {
    const place = { keys: stored, name, configured: configured[name] }
    imported.copied.push(...(await importRing(files, place)))
  }
  return imported
}

async function importSingle(
  name: string,
  files: KeyStore,
  stored: KeyStore,
): Promise<keyof Imported | undefined> {
  const found = await files.find(name)
  if (!found) return undefined
  const isNew = (await stored.find(name)) === undefined
  if (isNew) await stored.create(name, found.text)
  // A process with other key files may have been first.
  if ((await stored.find(name))?.text !== found.text) return 'differing'
  return isNew ? 'copied' : undefined
}

async function importRing(files: KeyStore, place: KeyPlace): Promise<string[]> {
  const { keys: stored, name, configured = '' } = place
  const there = await readKeyRing({ keys: stored, name })
  const known = new Set([...Object.keys(there?.keys ?? {}), ...(await removedIds(stored, name))])
  for (const { id } of configured ? parseKeys(configured, name) : []) known.add(id)
  const copied: string[] = []
  // Newest first: if this is interrupted, the current key stays the current one.
  for (const path of newestFirst(await namesOf({ keys: files, name }), name)) {
    const text = (await files.find(path))?.text
    if (text === undefined) continue
    const id = keyIdIn(text, files.where(path))
    if (known.has(id)) continue
    // A key that comes later never becomes the current one, which other processes do not have yet.
    const older = ringName(`${name}s`, 0, id)
    await stored.create(there ? older : path, text)
    // A process with other key files may have taken the name.
    if (!there && (await stored.find(path))?.text !== text) await stored.create(older, text)
    copied.push(path)
  }
  return copied
}

const newestFirst = (names: readonly string[], single: string) => [
  ...names.filter((name) => name !== single).reverse(),
  ...names.filter((name) => name === single),
]
