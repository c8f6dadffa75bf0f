import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { namedVersion } from './named-version.ts'
import { refresh } from './refresh.ts'
import { usePolled } from './use-polled.ts'

export type ServiceUpgrade = components['schemas']['ServiceUpgrade']
export type LastUpgrade = components['schemas']['LastUpgrade']
export type UpgradeCheck = components['schemas']['UpgradeCheck']
export type Operation = components['schemas']['Operation']

/** Milliseconds. No event says that the service is paused or what runs. */
const pace = 5_000
/** Milliseconds. An upgrade is watched. */
const paceOfOperation = 2_000

/** Reads what an upgrade would replace, and what became of the last one. */
export const useServiceUpgrade = () => usePolled('/service/upgrade', {}, pace)

/** Reads an upgrade or a pause of the service, also after the service was away. */
export const useServiceOperation = (id: string) =>
  usePolled('/operations/{id}', { id }, paceOfOperation)

/** Loads what changes when an upgrade or a pause ends. */
export const refreshService = () => refresh('/service/upgrade', '/version')

/** Judges a new version. `target` is an image, a version, or empty for the name that runs. */
export const checkUpgrade = (target: string): Promise<UpgradeCheck> =>
  unwrap(api.POST('/service/upgrade/check', { body: namedVersion(target) }))

/** Begins an upgrade to the image that was checked. */
export const startUpgrade = (
  target: string,
  choices: { image_id: string; without_backup: boolean; backup_job?: string },
): Promise<Operation> =>
  unwrap(api.POST('/service/upgrade', { body: { ...namedVersion(target), ...choices } }))

/** Asks that an upgrade ends before it replaces the container. It does so about a second later. */
export const callOff = (id: string): Promise<Operation> =>
  unwrap(api.POST('/operations/{id}/cancel', { params: { path: { id } } }))
