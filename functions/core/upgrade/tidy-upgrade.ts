import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'

/** Removes what is left of the last upgrade of the service. Never throws: the next call repeats it. */
export async function tidyUpgrade({
  clock,
  log,
  reminders,
  serviceUpgrades,
}: Needs<'clock' | 'log' | 'reminders' | 'serviceUpgrades'>): Promise<void> {
  try {
    await serviceUpgrades.tidy(clock.now())
  } catch (error) {
    if (!reminders.isDue('tidy the upgrade of the service')) return
    logFailure(log, 'what is left of an upgrade of the service could not be removed yet', { error })
  }
}
