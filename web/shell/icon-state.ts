import type { Alert } from '../data/alerts.ts'
import type { Connection } from '../data/events.ts'

/** How the icon of the page looks: `trouble` has a mark. */
export type IconState = 'usual' | 'trouble'

/** What the page knows of troubles. */
interface Known {
  connection: Connection['state']
  /** Undefined until they are loaded, and for readers who may not see them. */
  alerts: readonly Pick<Alert, 'state' | 'muted'>[] | undefined
}

/**
 * Returns how the icon looks. It has the mark while the page may be out of date, and while an alert
 * fires. Muted ones leave it as it is, as they send no messages.
 */
export function iconStateOf({ connection, alerts = [] }: Known): IconState {
  const isFiring = alerts.some(({ state, muted }) => state === 'firing' && !muted)
  return connection !== 'live' || isFiring ? 'trouble' : 'usual'
}
