import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import { startBrowser } from '../../journeys/harness/browser.ts'
import { signIn } from '../../journeys/harness/journey.ts'
import { startNode } from '../process.ts'
import { admin, dataDirectory, type Service, startService } from '../service.ts'
import { crowdOf, stackName } from './crowd.ts'

/** Containers of the Engine, the most that the API lists. */
export const crowdSize = 1000
const stacks = 50
/** How much slower the page's processor is than this machine's. */
const slowdown = 4

/** The built service over a crowded Engine, and a page that is signed in. */
export interface Stage {
  url: string
  page: Page
  cdp: CDPSession
  /** Makes the page's processor four times slower, or resets its speed. */
  throttle(isSlow: boolean): Promise<void>
  /** Sets how many events and log lines there are each second. */
  rates(rates: { events?: number; lines?: number }): Promise<void>
  close(): Promise<void>
}

/** Starts everything, and signs in. */
export async function startStage(): Promise<Stage> {
  const data = dataDirectory()
  const socket = join(data.path, 'engine.sock')
  const engine = startNode(
    ['--import', 'tsx', fileURLToPath(new URL('./crowded-engine-program.ts', import.meta.url))],
    { CROWD: String(crowdSize), CROWD_SOCKET: socket },
    join(data.path, 'engine.log'),
  )
  while (!existsSync(socket)) await Promise.race([pause(50), engine.failed])
  const service = await startService(data.path, { DOCKER_HOST: `unix://${socket}` })
  await service.signIn()
  await prepare(service)
  const url = `http://127.0.0.1:${service.port}`
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  page.setDefaultTimeout(60_000)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  await signIn(page, admin)
  return {
    url,
    page,
    cdp,
    throttle: async (isSlow) => {
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: isSlow ? slowdown : 1 })
    },
    rates: (rates) => setRates(socket, rates),
    async close() {
      await browser.close()
      await service.stop()
      await engine.stop()
      data.remove()
    },
  }
}

/** Creates the stacks of the crowd. Samples of a thousand containers would be measured too. */
async function prepare(service: Service): Promise<void> {
  await service.call('PUT', '/settings', { 'metrics.sample_seconds': 300 })
  const crowd = crowdOf(crowdSize)
  for (let number = 0; number < stacks; number += 1) {
    const name = stackName(number)
    const own = crowd.filter(({ stack }) => stack === name)
    const lines = own.map(({ service: one }) => `  ${one}: {image: busybox:latest}`)
    await service.call('POST', '/stacks', { name, compose: `services:\n${lines.join('\n')}\n` })
  }
}

function setRates(socketPath: string, rates: Record<string, number>): Promise<void> {
  const query = Object.entries(rates).map(([kind, rate]) => `${kind}=${rate}`)
  return new Promise((resolve, reject) => {
    request({ socketPath, method: 'POST', path: `/bench?${query.join('&')}` }, (response) => {
      response.resume().once('end', () => resolve())
    })
      .on('error', reject)
      .end()
  })
}
