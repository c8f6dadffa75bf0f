import { setTimeout as pause } from 'node:timers/promises'
import { upgradeEngine } from '../../docker/service-upgrade/upgrade-engine.ts'
import { engineClient } from '../../docker/transport/client.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { systemClock } from '../process/clock.ts'
import { journalFile } from './journal-file.ts'
import { runUpgrade } from './run-upgrade.ts'

/**
 * Runs the helper of an upgrade of the service, in a container of its own. Returns when the upgrade
 * has ended; then the Engine does not start the container again.
 */
export async function upgradeHelper(environment: NodeJS.ProcessEnv): Promise<void> {
  const client = engineClient(transportFrom(environment), 'local')
  const engine = upgradeEngine(client)
  const file = journalFile(environment.SERVICE_DATA_DIR ?? '/data')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const { helper } = await runUpgrade({ file, engine, clock: systemClock, report })
  try {
    if (helper !== null) await engine.hold(helper)
  } catch (error) {
    // The Engine may be ending; it starts this helper again, which then tries again.
    await pause(1000)
    throw error
  } finally {
    client.close()
  }
}
