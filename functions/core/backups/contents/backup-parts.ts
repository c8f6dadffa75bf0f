import type { SavedVolume } from './saved-stack.ts'
import type { StackUse } from './stack-uses.ts'

/** An archive of a run. `base` is the name of its object without suffixes. */
export type BackupPart = { base: string; label: string } & (
  | { kind: 'stack'; source: string; volumes: SavedVolume[] }
  | { kind: 'volume'; source: string; stack: string | null }
  | { kind: 'system'; source: 'system' }
)

/** A stack as it was found: its existing volumes, and everything that its services use. */
export interface FoundStack {
  kind: 'stack'
  name: string
  directory: string
  volumes: SavedVolume[]
  uses: StackUse[]
}

/** A source of a job as it was found. */
export type FoundSource = FoundStack | { kind: 'volume'; name: string } | { kind: 'system' }

/**
 * Returns the archives of a run. Each object occurs once: a volume that is a source and also
 * belongs to a stack counts as the stack's.
 */
export function partsOf(sources: readonly FoundSource[]): BackupPart[] {
  const parts: BackupPart[] = []
  const volumes = new Set<string>()
  const addVolume = (source: string, stack: string | null) => {
    if (volumes.has(source)) return
    volumes.add(source)
    const label = `volume ${source}`
    parts.push({ kind: 'volume', source, stack, base: `volume-${source}`, label })
  }
  for (const source of sources) {
    if (source.kind !== 'stack') continue
    const { name, volumes: own } = source
    if (parts.some((part) => part.kind === 'stack' && part.source === name)) continue
    const label = `stack ${name}`
    parts.push({ kind: 'stack', source: name, volumes: own, base: `stack-${name}`, label })
    for (const volume of own) addVolume(volume.name, name)
  }
  for (const source of sources) if (source.kind === 'volume') addVolume(source.name, null)
  if (sources.some(({ kind }) => kind === 'system')) {
    parts.push({ kind: 'system', source: 'system', base: 'system', label: 'the system' })
  }
  return parts
}
