import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { present } from '../../../adapters/testing/present.ts'
import { pageTimeout } from './watched-page.ts'

/**
 * Acts as a person does, on what a person can see: the functions below wait until the element of a
 * locator can be seen, and then do what the method of the locator does. They throw if the locator
 * finds several elements, or if the element cannot be seen before the time limit.
 */
interface SeenOptions {
  /** Milliseconds that an element that is there may stay unseen. */
  timeout?: number
}

/** Clicks what can be seen. */
export async function seenClick(locator: Locator, options?: SeenOptions): Promise<void> {
  await untilSeen(locator, options)
  await locator.click()
}

/** Clicks twice what can be seen, which selects a word. */
export async function seenDoubleClick(locator: Locator, options?: SeenOptions): Promise<void> {
  await untilSeen(locator, options)
  await locator.dblclick()
}

/** Moves the mouse over what can be seen without it. */
export async function seenHover(locator: Locator, options?: SeenOptions): Promise<void> {
  await untilSeen(locator, options)
  await locator.hover()
}

/** Replaces the text of a field that can be seen. */
export async function seenFill(
  locator: Locator,
  text: string,
  options?: SeenOptions,
): Promise<void> {
  await untilSeen(locator, options)
  await locator.fill(text)
}

/** Checks a box that can be seen. */
export async function seenCheck(locator: Locator, options?: SeenOptions): Promise<void> {
  await untilSeen(locator, options)
  await locator.check()
}

/** Selects an option of a list that can be seen, by its value or its label. */
export async function seenSelect(
  locator: Locator,
  option: string,
  options?: SeenOptions,
): Promise<void> {
  await untilSeen(locator, options)
  await locator.selectOption(option)
}

/** Clicks the button that opens the file chooser, and chooses files or a directory there. */
export async function seenChooseFiles(
  button: Locator,
  files: Parameters<Locator['setInputFiles']>[0],
): Promise<void> {
  const [chooser] = await Promise.all([
    button.page().waitForEvent('filechooser'),
    seenClick(button),
  ])
  await chooser.setFiles(files)
}

/**
 * Waits until a person who points elsewhere can see the element of a locator, and use it. Scrolls
 * to it. Leaves the mouse outside of the page.
 *
 * @throws Error that says why it cannot be seen, after the time limit
 */
async function untilSeen(
  locator: Locator,
  { timeout = pageTimeout }: SeenOptions = {},
): Promise<void> {
  const deadline = Date.now() + timeout
  for (let tries = 0; ; tries += 1) {
    const unseen = await whyUnseen(locator, tries).catch(leftPage)
    if (unseen === undefined) return
    if (Date.now() >= deadline) throw new Error(`${locator} cannot be seen: ${unseen}`)
    await sleep(50)
  }
}

/** Returns why the element of a locator cannot be seen. Waits for the element. */
async function whyUnseen(locator: Locator, tries: number): Promise<string | undefined> {
  const page = locator.page()
  // What appears under the mouse alone cannot be found.
  const waiting = { timeout: pageTimeout }
  const [found] = await Promise.all([locator.elementHandle(waiting), page.mouse.move(-1, -1)])
  const element = present(found)
  // Something that sticks to an edge may cover it, until it is scrolled further.
  const block = ['nearest', 'center', 'end', 'start'][tries % 4]
  const looked = await element.evaluate<Looked, unknown>(inPage(look), block)
  if ('unseen' in looked) return `${looked.html} ${looked.unseen}`
  const shown = await capture(page, looked.area)
  await element.evaluate(inPage(hide))
  const hidden = await capture(page, looked.area)
  await element.evaluate(inPage(showAgain))
  return shown === hidden
    ? `${looked.html} looks like what is behind it, as a text in the colour of its ground`
    : undefined
}

/** Handles the error of a look at a page that another page replaced meanwhile. */
function leftPage(error: unknown): string {
  if (/Execution context was destroyed/.test(String(error))) return 'its page was left'
  throw error
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** What a look at an element found: why it cannot be seen, or where it is in the document. */
type Looked = { html: string; unseen: string } | { html: string; area: Area }

const sessions = new WeakMap<Page, CDPSession>()

/**
 * Returns a picture of an area of the document, in base64. Unlike `page.screenshot`, changes
 * nothing in the page and takes milliseconds.
 */
async function capture(page: Page, area: Area): Promise<string> {
  let session = sessions.get(page)
  if (!session) {
    session = await page.context().newCDPSession(page)
    sessions.set(page, session)
  }
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    clip: { ...area, scale: 1 },
  })
  return data
}

/**
 * Returns the function that a text says. The types of this code know no browser, and a loader may
 * add to functions what a page does not have.
 */
const inPage = (text: string): ((...args: unknown[]) => Promise<never>) =>
  new Function(`return ${text}`)()

/**
 * Runs in the page. Hides an element, or what is around an empty field, which may have no frame of
 * its own. An animation changes no attribute, which editors and other scripts watch.
 */
const hide = `(element) => {
  const isEmptyField = element.matches('input, textarea') && element.value === ''
  const hidden = isEmptyField ? element.parentElement : element
  window.unseen = hidden.animate([{ opacity: 0 }, { opacity: 0 }], { duration: 1000 })
  unseen.pause()
}`

const showAgain = '() => unseen.cancel()'

/** Runs in the page. Scrolls to an element, and returns `Looked`. */
const look = `async (element, block) => {
  const html = element.outerHTML.replace(/\\s+/g, ' ').slice(0, 160)
  const unseen = (why) => ({ html, unseen: why })
  const visiblePart = () => new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect()
      resolve(entry)
    })
    observer.observe(element)
  })
  if (!element.isConnected) return unseen('was removed')
  if (!element.checkVisibility({ visibilityProperty: true })) return unseen('is hidden')
  if (element.matches(':disabled') || element.closest('[aria-disabled="true"]'))
    return unseen('is disabled')

  let { intersectionRect: visible, intersectionRatio: share } = await visiblePart()
  if (share < 1 || block !== 'nearest') {
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' })
    visible = (await visiblePart()).intersectionRect
  }
  // A link that goes on in the next line has a box in each.
  const boxes = [...element.getClientRects()].map((box) => {
    const [left, top] = [Math.max(box.left, visible.left), Math.max(box.top, visible.top)]
    const [right, bottom] = [Math.min(box.right, visible.right), Math.min(box.bottom, visible.bottom)]
    return { left, top, width: right - left, height: bottom - top }
  })
  const box = boxes.find(({ width, height }) => width >= 4 && height >= 4)
  if (!box) return unseen('has no box in the page, or is cut off')

  let opacity = 1
  for (let one = element; one; one = one.parentElement) opacity *= getComputedStyle(one).opacity
  if (opacity < 0.5) return unseen('has an opacity of ' + opacity + ' before the mouse is over it')

  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  const own = [element, ...(element.labels ?? [])]
  if (!own.some((one) => one.contains(top)))
    return unseen('is covered by ' + (top?.outerHTML.slice(0, 160) ?? 'nothing of the page'))
  const [x, y] = [Math.floor(box.left), Math.floor(box.top)]
  const area = {
    x: x + Math.round(scrollX),
    y: y + Math.round(scrollY),
    width: Math.ceil(box.left + box.width) - x,
    height: Math.ceil(box.top + box.height) - y,
  }
  return { html, area }
}`
