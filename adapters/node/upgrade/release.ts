import { storeFormat, version } from '../../../functions/core/version.ts'
import { type Migration, migrations } from '../../store/migrations.ts'
import type { StoreFormat } from '../../store/store-format.ts'
import { StartError } from '../process/start-error.ts'

/** What a version of the service knows about the formats of the store. */
export interface Release {
  version: string
  /** The newest format that it reads. */
  reads: number
  /** The format that it writes. */
  writes: number
  migrations: readonly Migration[]
}

/** The version of this program. */
export const thisRelease: Release = { version, ...storeFormat, migrations }

/** Returns why a version cannot use a store, or undefined if it can read all of it. */
export function unreadable(store: StoreFormat, release: Release): string | undefined {
  if (store.readableBy <= release.reads) return undefined
  return (
    `Version ${store.version} of the service has changed the store to format ${store.readableBy}. ` +
    `This is version ${release.version}, which reads formats up to ${release.reads}. ` +
    `Start version ${store.version} or a newer one, or go back to the copy of the store: see docs/upgrading.md.`
  )
}

/**
 * Returns the migrations that convert a store to the format of a version, in order.
 *
 * @throws StartError if the version is too new for the store
 */
export function pendingMigrations(store: StoreFormat, release: Release): Migration[] {
  const pending: Migration[] = []
  let format = store.writtenBy
  while (format < release.writes) {
    const next = release.migrations.find(({ from }) => from === format)
    if (!next) throw new StartError(tooNew(store, release))
    pending.push(next)
    format = next.to
  }
  return pending
}

const tooNew = (store: StoreFormat, release: Release) =>
  `The store has items of format ${store.writtenBy}, last changed by version ${store.version}, and this is ` +
  `version ${release.version}, which cannot convert them to format ${release.writes}. ` +
  'Start each version in between once: see docs/upgrading.md.'
