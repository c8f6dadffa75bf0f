import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { workerComposer } from '../../adapters/node/compose-worker/composer.ts'
import create from '../../functions/stacks/create.ts'
import { call } from '../harness/call.ts'
import { hostileTexts } from '../harness/hostile-texts.ts'
import { signIn } from '../harness/sign-in.ts'
import { world } from '../harness/world.ts'

/**
 * Sends `POST /stacks` with each hostile text. Reports the status, the time and the longest block
 * of the event loop. Runs in a process of its own so that nothing else blocks the loop. The worker
 * is warm.
 */
export async function hostileBench(): Promise<string> {
  const rows = ['| text | bytes | status | ms | lag, ms |', '|---|---|---|---|---|']
  const composer = workerComposer()
  const { ports } = world()
  const here = { ...ports, composer }
  const token = await signIn(here, 'admin')
  const ask = (body: object) => call(create, { ports: here, as: { token }, body })
  await ask({ name: 'warm', compose: 'services: {warm: {image: busybox}}' })
  for (const [index, { name, compose, env, overlays }] of hostileTexts.entries()) {
    // Restart a worker that was killed, as the service does between requests.
    await ask({ name: `warm${index}`, compose: 'services: {warm: {image: busybox}}' })
    const lag = monitorEventLoopDelay({ resolution: 1 })
    await pause(20)
    lag.enable()
    const begin = performance.now()
    const { status } = await ask({ name: `hostile${index}`, compose, env, overlays })
    const took = performance.now() - begin
    await pause(5)
    lag.disable()
    const still = Math.max(0, lag.max / 1e6 - 1)
    rows.push(
      `| ${name} | ${compose.length} | ${status} | ${took.toFixed(0)} | ${still.toFixed(0)} |`,
    )
  }
  await composer.close()
  return rows.join('\n')
}
