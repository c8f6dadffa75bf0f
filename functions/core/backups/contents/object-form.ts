import type { ObjectForm } from '../../records/backup-manifest.ts'

const suffixes = { zstd: '.zst', gzip: '.gz', none: '' } as const

/** Returns the name of an object: `base` plus the suffixes of its form. */
export const objectName = (base: string, { compression, encrypted }: ObjectForm) =>
  `${base}${suffixes[compression]}${encrypted ? '.age' : ''}`

/** Returns the form that the suffixes of a name show. */
export function formOf(name: string): ObjectForm {
  const encrypted = name.endsWith('.age')
  const rest = encrypted ? name.slice(0, -'.age'.length) : name
  const compression = rest.endsWith('.zst') ? 'zstd' : rest.endsWith('.gz') ? 'gzip' : 'none'
  return { compression, encrypted }
}

/** Returns the name of the manifest. */
export const manifestName = (encrypted: boolean) =>
  objectName('manifest.json', { compression: 'none', encrypted })
