import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { rowsOfRing } from '../harness/rings.ts'
import { api } from '../harness/service.ts'
import { asCaddy, asNginx, startTlsProxy } from '../harness/tls-proxy.ts'
import { unique } from '../harness/unique.ts'
import { type Journey, loaded, signIn, startJourney } from './harness/journey.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'
import { openPage } from './harness/watched-page.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })

const script = 'echo ready; until [ -e /tmp/mark ]; do sleep 1; done; echo marked; sleep 3600'
const compose = `services:
  web:
    image: busybox:latest
    stop_grace_period: 0s
    command: ['sh', '-c', '${script}']
`

/** nginx says less about its client than Caddy does. */
const proxies = [
  ['nginx', asNginx],
  ['Caddy', asCaddy],
] as const

test.each(rowsOfRing(proxies, ([proxy]) => proxy === 'nginx'))(
  'everything works behind TLS of %s, without the address of the service',
  async (_, forwarding) => {
    const proxy = await startTlsProxy(Number(journey.port), forwarding)
    const name = unique('behind-tls')
    const origin = `https://nas:${proxy.port}`
    try {
      await call('POST', '/stacks', { name, compose })
      await using opened = await openPage(journey.browser, `${origin}/`, {
        ignoreHTTPSErrors: true,
      })
      const { page, context } = opened
      expect(await page.evaluate('isSecureContext')).toBe(true)
      await signIn(page, { username: 'admin', password: journey.place.password })
      const [cookie, ...others] = await context.cookies(`${origin}/api/v1/auth/browser/refresh`)
      expect(others).toEqual([])
      expect(cookie).toMatchObject({
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
        path: '/api/v1/auth/browser',
        name: expect.stringMatching(new RegExp(`^__Secure-cs_${proxy.port}_[0-9a-f]{8}$`)),
      })
      await page.reload()
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
      await loaded(page)

      await page.goto(`${origin}/stacks/${name}`)
      await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
      await seenClick(page.locator('.deploy-form').getByRole('button', { name: `Deploy ${name}` }))
      await page.locator('.deployment-line').getByText('Deployed in').waitFor()

      await seenClick(page.getByRole('link', { name: 'Logs', exact: true }).last())
      await page.getByText('ready', { exact: true }).waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      docker('exec', `${name}-web-1`, 'touch', '/tmp/mark')
      await page.getByText('marked', { exact: true }).waitFor()

      const id = docker('ps', '-q', '--no-trunc', '--filter', `name=${name}-web-1`)
      await page.goto(`${origin}/containers/local/${id}/terminal`)
      await page.locator('.xterm-screen').waitFor()
      await page.locator('.xterm-helper-textarea').focus()
      await expect.poll(() => docker('exec', id, 'ps')).toMatch(/\bsh$/m)
      await page.keyboard.type('echo $((6*7)) > /tmp/answer\n')
      const answer = () => docker('exec', id, 'sh', '-c', 'cat /tmp/answer || true')
      await expect.poll(answer).toBe('42')

      // The line that enrols a host has the address of the page.
      await page.goto(`${origin}/hosts?open=enrol`)
      await seenFill(page.getByLabel('Name', { exact: true }), unique('attic'))
      await seenClick(page.getByRole('button', { name: 'Show the command' }))
      await page.getByText(`curl -fsSL ${origin}/api/v1/agents/install.sh`).waitFor()
      expect(await page.getByText('plain HTTP').count()).toBe(0)
      await seenClick(page.getByRole('button', { name: 'Close' }).last())

      await seenClick(page.getByRole('button', { name: 'Your account' }).first())
      await seenClick(page.getByRole('menuitem', { name: 'Sign out' }))
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await expect
        .poll(async () => (await context.cookies()).filter(({ value }) => value !== ''))
        .toEqual([])
      await page.reload()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    } finally {
      await proxy.close()
      await removeFromEngine(name)
    }
  },
)
