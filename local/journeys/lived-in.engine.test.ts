import { afterAll, beforeAll, expect, test } from 'vitest'
import { livedInWorld } from '../harness/lived-in/world.ts'
import { moveInto } from '../harness/service.ts'
import { type Journey, startJourney } from './harness/journey.ts'

let journey: Journey

beforeAll(async () => {
  moveInto(livedInWorld)
  journey = await startJourney()
})
afterAll(() => journey?.close())

test('a page of the lived-in world is one of two, elsewhere, with a clock that is fast', async () => {
  for (const times of [1, 2]) {
    await using opened = await journey.openSignedIn('/stacks')
    const { page, context } = opened
    expect(context.pages(), `opened ${times} times`).toHaveLength(2)
    const minutes = 'new Date().getTimezoneOffset()'
    const about = `[${minutes}, navigator.language, document.documentElement.lang]`
    expect(await page.evaluate(about)).toEqual([-330, 'de-DE', 'en'])
    const ahead = (await page.evaluate<number>('Date.now()')) - Date.now()
    expect(Math.round(ahead / 600_000)).toBe(1)
  }
})

test('stacks of other hosts are there, with the names of their hosts', async () => {
  await using opened = await journey.openSignedIn('/stacks')
  const { page } = opened
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await rowOf('zz-labor').getByText('開発機').waitFor()
  await rowOf('zz-keller').getByText('Müllraum NAS'.normalize('NFD')).waitFor()
})
