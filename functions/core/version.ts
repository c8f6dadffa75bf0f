import packageFile from '../../package.json' with { type: 'json' }
import format from './store-format.json' with { type: 'json' }

/** The commit as text. Defined by the build only. */
declare const BUILD_COMMIT: string | null

/** The version of the service, its programs and the package. */
export const version = packageFile.version

/** The commit that this was built from, or null if that is unknown or nothing was built. */
export const commit: string | null = typeof BUILD_COMMIT === 'undefined' ? null : BUILD_COMMIT

/**
 * The formats of stored items: the newest one that this version reads, and the one that it writes.
 * A change of the format takes two versions: the first one reads it, the next one writes it too and
 * has a migration (`adapters/store/migrations.ts`). Images have both as labels.
 */
export const storeFormat = format
