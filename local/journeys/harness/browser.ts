import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { makeNamespace } from '../../harness/netns.ts'

const quiet = [
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
]
/** Screenshots are the same on every machine, with the fonts that we ship. */
const sameText = ['font-render-hinting=none', 'disable-lcd-text']

/**
 * Starts a browser that has a network of its own, as on another machine: a browser drops requests
 * that wait for a connection whenever its machine gets or loses an address, which containers of
 * other tests do all the time. `127.0.0.1` leads to this machine, and so do `localhost` and `nas`.
 * Unlike the others, `http://nas` is no secure context: there are no Web Locks, no clipboard API
 * and no Fetch Metadata.
 */
export async function startBrowser(): Promise<Browser> {
  const network = makeNamespace()
  network.openLoopback()
  const directory = mkdtempSync(join(tmpdir(), 'browser-'))
  const remove = () => {
    network.remove()
    rmSync(directory, { recursive: true })
  }
  const executablePath = join(directory, 'chromium')
  writeFileSync(
    executablePath,
    `#!/bin/sh\nexec ${network.prefix.join(' ')} chromium-headless-shell "$@"\n`,
  )
  chmodSync(executablePath, 0o755)
  const { outside } = network
  const mapped = ['nas', '127.0.0.1', 'localhost'].map((name) => `MAP ${name} ${outside}`)
  const names = `host-resolver-rules=${mapped.join(',')}`
  const args = ['headless', 'no-sandbox', ...quiet, ...sameText, names].map((flag) => `--${flag}`)
  try {
    const browser = await chromium.launch({ executablePath, args })
    browser.once('disconnected', remove)
    return browser
  } catch (error) {
    remove()
    throw error
  }
}
