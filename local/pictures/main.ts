import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { signIn } from '../journeys/harness/journey.ts'
import { openPage } from '../journeys/harness/watched-page.ts'
import { documentPictures } from './document-pictures.ts'
import { type Homelab, startHomelab } from './homelab.ts'
import { everyScreen } from './screens.ts'
import { show, takeInto, takeWebp } from './take.ts'

const docs = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const compared = fileURLToPath(new URL('../journeys/pictures/', import.meta.url))
const themes = ['dark', 'light'] as const
const widths = [1280, 390] as const

/**
 * `npm run pictures [-- --all DIRECTORY | --renew]`: takes the pictures of README and docs; with
 * `--all` every screen in both themes and widths into a directory; with `--renew` those that
 * `local/journeys/pictures.engine.test.ts` compares. Requires root on Linux and a build.
 */
async function main(words: string[]): Promise<void> {
  const [option, directory] = words
  if (option === '--renew') return renewCompared()
  if (option !== undefined && (option !== '--all' || !directory))
    throw new Error('usage: npm run pictures [-- --all DIRECTORY | --renew]')
  const homelab = await startHomelab()
  try {
    if (directory) await takeAll(homelab, directory)
    else await takeForDocuments(homelab)
  } finally {
    await homelab.close()
  }
}

/** Stores how the parts and some pages look now as how they should look. */
function renewCompared(): void {
  rmSync(compared, { recursive: true, force: true })
  execFileSync('npx', ['vitest', 'run', 'local/journeys/pictures.engine.test.ts'], {
    stdio: 'inherit',
  })
}

/** Takes every screen. One that fails is reported, and the others follow. */
async function takeAll(homelab: Homelab, directory: string): Promise<void> {
  const screens = await everyScreen(homelab)
  for (const theme of themes) {
    for (const width of widths) {
      await using opened = await openHomelab(homelab, { theme, width })
      for (const screen of screens) {
        await show(opened.page, homelab.journey.running.url, screen).catch((error) =>
          console.error(`${screen.name} in ${theme} at ${width} px: ${error}`),
        )
        await takeInto(directory, `${screen.name}-${theme}-${width}`, opened.page)
      }
    }
  }
}

async function takeForDocuments(homelab: Homelab): Promise<void> {
  for (const { name, path, ready, theme, width, height } of documentPictures) {
    await using opened = await openHomelab(homelab, {
      theme,
      width,
      viewport: { width, height },
      deviceScaleFactor: 1.5,
    })
    await show(opened.page, homelab.journey.running.url, { name, path, ready })
    const bytes = await takeWebp(docs, name, opened.page)
    console.log(`${name}.webp: ${Math.round(bytes / 1000)} kB`)
  }
}

async function openHomelab(
  { journey }: Homelab,
  options: NonNullable<Parameters<typeof openPage>[2]>,
) {
  // A screen whose container is away says so by a 404.
  const { browser, running, place } = journey
  const opened = await openPage(browser, running.url, { ...options, expected: /404/ })
  await signIn(opened.page, { username: 'admin', password: place.password })
  return opened
}

await main(process.argv.slice(2))
