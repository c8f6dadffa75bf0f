import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { follow, type Journey, startJourney } from './harness/journey.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

describe.each(viewportsOfStory(1280))('opened at $width px', (look) => {
  test('home and a page that does not exist have no violation that axe finds', async () => {
    await using opened = await journey.openSignedIn('/', look)
    const { page } = opened
    await page.locator('h1').waitFor()
    expect(await appearanceProblems(page, 'frame-')).toEqual([])
    await follow(page, '/nothing')
    expect(await appearanceProblems(page, 'frame-nothing')).toEqual([])
  })

  test('the login has no violation that axe finds', async () => {
    await using opened = await journey.open('/', look)
    const { page } = opened
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await appearanceProblems(page, 'frame-login')).toEqual([])
  })

  test('the parts and a dialog have no violation that axe finds', async () => {
    await using opened = await journey.openSignedIn('/kit', look)
    const { page } = opened
    await page.locator('h1').waitFor()
    expect(await appearanceProblems(page, 'frame-kit')).toEqual([])
    await seenClick(page.getByRole('button', { name: 'Ask for a name' }))
    await page.getByRole('dialog').waitFor()
    expect(await appearanceProblems(page, 'frame-dialog')).toEqual([])
  })
})

test('the policy lets a page open feeds of its own origin, with and without a secure context', async () => {
  for (const host of [undefined, 'nas'] as const) {
    await using opened = await journey.openSignedIn('/kit', {
      ...(host && { host }),
      expected: /WebSocket/,
    })
    await opened.page.locator('h1').waitFor()
    await opened.page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('/api/v1/ws/events?ticket=none')
      socket.onerror = resolve
    })`)
    expect(opened.problems.join()).not.toMatch(/Content Security Policy/)
  }
})

test('another origin, an inline script and text as a script are refused', async () => {
  await using opened = await journey.openSignedIn('/kit', { expected: /./ })
  const { page } = opened
  await page.locator('h1').waitFor()
  const outcome = await page.evaluate(`(async () => {
    const refused = []
    document.addEventListener('securitypolicyviolation', (event) => {
      refused.push(event.effectiveDirective)
    })
    const script = document.createElement('script')
    try { script.textContent = 'window.isBroken = true' } catch { refused.push('text') }
    document.head.append(script)
    const image = new Image()
    image.src = 'http://127.0.0.2:9/a.png'
    await fetch('http://127.0.0.2:9/').catch(() => {})
    for (let waited = 0; waited < 10_000 && refused.length < 3; waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50))
    return { refused, isBroken: window.isBroken ?? false }
  })()`)
  expect(outcome).toMatchObject({
    isBroken: false,
    refused: expect.arrayContaining(['text', 'img-src', 'connect-src']),
  })
})

test('navigation focuses the title of the page and names the document', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await seenClick(page.getByRole('link', { name: 'Deployments' }))
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Page not found')
  expect(await page.title()).toBe('Page not found · Container stacks')
  await page.goBack()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Kit')
})

test('the palette runs an action by keyboard alone', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await page.locator('h1').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and actions' }).waitFor()
  await page.keyboard.type('light')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.reload()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
  const barOf = (theme: string) => page.locator(`meta[data-theme="${theme}"]`).getAttribute('media')
  expect([await barOf('light'), await barOf('dark')]).toEqual(['all', 'not all'])
})

test('the whole frame changes its language at once and keeps it', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await page.locator('h1').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('deutsch')
  await page.getByRole('option', { name: /Deutsch/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Bausteine' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Bausteine' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
})

test('a question mark shows the shortcuts, and Escape returns the focus', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  const opener = page.getByRole('button', { name: 'Open dialog' })
  await opener.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open dialog')
})

test('a login leads to the page that was asked for, and a wrong password says so', async () => {
  await using opened = await journey.open('/kit?filter=a', { expected: /401/ })
  const { page } = opened
  await seenFill(page.getByLabel('User name'), 'admin')
  await seenFill(page.getByLabel('Password'), 'wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The user name or the password is wrong').waitFor()
  await seenFill(page.getByLabel('Password'), journey.place.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Kit' }).waitFor()
  expect(new URL(page.url()).search).toBe('?filter=a')
})

test('a menu is used by keyboard alone', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await page.getByRole('button', { name: 'Actions of shop' }).focus()
  await page.keyboard.press('ArrowDown')
  const focused = () => page.evaluate('document.activeElement.textContent')
  await expect.poll(focused).toBe('Restart shop')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('Deploy shop')
  await page.keyboard.press('r')
  await expect.poll(focused).toBe('Remove shop')
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Actions of shop')
})

test('j and k move in the rows of a list', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await page.locator('h1').waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent')
  for (const [key, name] of [
    ['j', 'shop'],
    ['j', 'blog'],
    ['k', 'shop'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(focused).toBe(name)
  }
})

test('a text is copied without a secure context', async () => {
  await using opened = await journey.openSignedIn('/kit', { host: 'nas' })
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Copy the digest' }))
  await page.getByRole('button', { name: 'Copied' }).first().waitFor()
  await page.locator('input[data-filter]').focus()
  await page.keyboard.press('Control+v')
  expect(await page.locator('input[data-filter]').inputValue()).toContain('sha256:9f86d081')
})

test('the focus goes to the next row when the row that opened a dialog is gone', async () => {
  await using opened = await journey.openSignedIn('/kit')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Actions of blog' }))
  await seenClick(page.getByRole('menuitem', { name: 'Remove blog' }))
  const dialog = page.getByRole('dialog', { name: 'Remove blog?' })
  await seenClick(dialog.getByRole('button', { name: 'Remove blog' }))
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('media')
})
