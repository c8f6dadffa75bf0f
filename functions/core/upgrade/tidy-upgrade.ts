import { logFailure } from '../log-failure.ts'
import type { Needs } from '../ports/ports.ts'
import { isClockTrusted } from '../retention/is-clock-trusted.ts'

export type TidyPorts = Needs<'clock' | 'log' | 'reminders' | 'retentionStates' | 'serviceUpgrades'>

/** Removes what is left of the last upgrade of the service. Never throws: it is repeated. */
export async function tidyUpgrade(ports: TidyPorts): Promise<void> {
  const { clock, log, reminders, serviceUpgrades } = ports
  try {
    await serviceUpgrades.tidy(clock.now(), await isClockTrusted(ports))
  } catch (error) {
    if (!reminders.isDue('tidy the upgrade of the service')) return
    logFailure(log, 'what is left of an upgrade of the service could not be removed yet', { error })
  }
}
