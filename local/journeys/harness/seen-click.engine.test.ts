import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from './browser.ts'
import {
  seenCheck,
  seenChooseFiles,
  seenClick,
  seenDoubleClick,
  seenFill,
  seenHover,
  seenSelect,
} from './seen-click.ts'
import { newContext } from './watched-page.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  page = await (await newContext(browser, {})).newPage()
})
afterAll(() => browser?.close())

/** Shows a body, whose clicks are counted in `clicks`. */
async function show(body: string): Promise<void> {
  await page.goto('about:blank')
  await page.setContent(`<!doctype html><style>
    body { margin: 40px; background: white; color: black }
    button { appearance: none; border: 0; background: none; font: 16px sans-serif }
  </style><body onclick="window.clicks = (window.clicks ?? 0) + 1">${body}</body>`)
}

const quick = { timeout: 200 }

const clicks = () => page.evaluate<number>('window.clicks ?? 0')

test.each([
  ['a button', '<button>Go</button>'],
  ['a button below the page', '<div style="height: 3000px"></div><button>Go</button>'],
  [
    'a button at the end of a list that scrolls',
    '<div style="height: 90px; overflow: auto"><p style="height: 900px"></p><button>Go</button></div>',
  ],
  [
    'a button that is scrolled below a bar',
    `<div style="position: fixed; inset: auto 0 0; height: 400px; background: grey"></div>
     <div style="height: 900px"></div><button>Go</button><div style="height: 900px"></div>`,
  ],
  ['a button of little opacity', '<div style="opacity: 0.8"><button>Go</button></div>'],
  [
    'a button that a layer without a mouse covers',
    '<button>Go</button><i style="position: fixed; inset: 0; pointer-events: none"></i>',
  ],
])('clicks %s', async (_what, body) => {
  await show(body)
  await seenClick(page.getByRole('button', { name: 'Go' }))
  expect(await clicks()).toBe(1)
})

test.each([
  {
    what: 'that the mouse alone makes visible',
    body: '<style>.row button { opacity: 0 } .row:hover button { opacity: 1 }</style><p class="row"><button>Go</button></p>',
    why: 'has an opacity of 0 before the mouse is over it',
  },
  {
    what: 'whose parents have too little opacity together',
    body: '<p style="opacity: 0.6"><b style="opacity: 0.6"><button>Go</button></b></p>',
    why: 'has an opacity of 0.36 before the mouse is over it',
  },
  {
    what: 'that another element covers',
    body: '<button>Go</button><p class="lid" style="position: fixed; inset: 0; margin: 0"></p>',
    why: 'is covered by <p class="lid"',
  },
  {
    what: 'without a box',
    body: '<button style="width: 0; height: 0; padding: 0; overflow: hidden">Go</button>',
    why: 'has no box in the page',
  },
  {
    what: 'that its parent cuts off',
    body: '<p style="position: relative; height: 20px; overflow: clip"><button style="position: absolute; top: 40px">Go</button></p>',
    why: 'has no box in the page, or is cut off',
  },
  {
    what: 'that is hidden',
    body: '<button style="visibility: hidden">Go</button>',
    why: 'is hidden',
  },
  { what: 'that is disabled', body: '<button disabled>Go</button>', why: 'is disabled' },
  {
    what: 'that says that it is disabled',
    body: '<button aria-disabled="true">Go</button>',
    why: 'is disabled',
  },
  {
    what: 'in the colour of its ground',
    body: '<button style="color: white">Go</button>',
    why: 'looks like what is behind it',
  },
])('does not click a button $what, and says why', async ({ body, why }) => {
  await show(body)
  const button = page.locator('button')
  // The mouse is where the last test left it, or on the button.
  await page.mouse.move(60, 60)
  await expect(seenClick(button, { timeout: 400 })).rejects.toThrow(why)
  await expect(seenClick(button, { timeout: 400 })).rejects.toThrow("locator('button') cannot be")
  expect(await clicks()).toBe(0)
})

test('fills an empty field whose frame is around it, and none without a frame', async () => {
  const field =
    '<textarea style="border: 0; outline: 0; background: none; resize: none"></textarea>'
  await show(`<p style="border: 1px solid; background: azure">${field}</p><p>${field}</p>`)
  await seenFill(page.locator('textarea').first(), 'typed')
  const unframed = page.locator('textarea').last()
  await expect(seenFill(unframed, 'typed', quick)).rejects.toThrow('looks like what is behind it')
})

test('waits until a button can be seen', async () => {
  await show('<button style="opacity: 0">Go</button>')
  await page.evaluate(`setTimeout(() => document.querySelector('button').style.opacity = 1, 300)`)
  await seenClick(page.locator('button'))
  expect(await clicks()).toBe(1)
})

test('changes nothing in the page before it acts', async () => {
  await show('<input autofocus><button style="color: red">Go</button>')
  await page.evaluate(`{
    window.changes = []
    const note = ({ type }) => changes.push(type)
    document.querySelector('input').focus()
    document.querySelector('input').onblur = note
    document.querySelector('button').onmousedown = note
    new MutationObserver((all) => all.forEach(note))
      .observe(document, { subtree: true, childList: true, attributes: true })
  }`)
  await seenClick(page.locator('button'))
  expect(await page.evaluate('changes')).toEqual(['mousedown', 'blur'])
  expect(await page.evaluate(`getComputedStyle(document.querySelector('button')).opacity`)).toBe(
    '1',
  )
})

test('fills, checks, selects, hovers, clicks twice and chooses files', async () => {
  await show(`<input id="text"><label><input type="checkbox"> Yes</label>
    <select><option>one<option>two</select><b onmouseover="this.title = 'over'">Word</b>
    <input type="file" hidden><button onclick="document.querySelector('[type=file]').click()">Choose
    </button>`)
  await seenFill(page.locator('#text'), 'typed')
  await seenCheck(page.getByLabel('Yes'))
  await seenSelect(page.locator('select'), 'two')
  await seenHover(page.locator('b'))
  expect(await page.locator('b').getAttribute('title')).toBe('over')
  await seenDoubleClick(page.locator('b'))
  expect(await page.evaluate('String(getSelection()).trim()')).toBe('Word')
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
  await seenChooseFiles(page.getByRole('button', { name: 'Choose' }), file)
  const values = `['#text', 'select', '[type=file]'].map((one) => document.querySelector(one).value)`
  expect(await page.evaluate(values)).toEqual(['typed', 'two', String.raw`C:\fakepath\a.txt`])
  expect(await page.getByLabel('Yes').isChecked()).toBe(true)
})

test.each([
  ['fill', '<input style="opacity: 0">', (one: Locator) => seenFill(one, 'typed', quick)],
  ['check', '<input type="checkbox" style="opacity: 0">', (one: Locator) => seenCheck(one, quick)],
  ['select', '<select style="opacity: 0"></select>', (one: Locator) => seenSelect(one, '1', quick)],
  ['hover over', '<p style="opacity: 0">Go</p>', (one: Locator) => seenHover(one, quick)],
  ['click twice', '<p style="opacity: 0">Go</p>', (one: Locator) => seenDoubleClick(one, quick)],
])('does not %s what cannot be seen', async (_what, body, act) => {
  await show(body)
  await expect(act(page.locator('input, select, p'))).rejects.toThrow('has an opacity of 0')
})
