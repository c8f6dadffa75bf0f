import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** Returns the colours of a rule by token: in the light theme and in the dark one. */
function tokensOf(selector: string): Record<string, [number, number]> {
  const begin = css.indexOf(`${selector} {`)
  if (begin < 0) throw new Error(`there is no rule ${selector}`)
  const rule = css.slice(begin).split('}')[0] ?? ''
  const colours: Record<string, [number, number]> = {}
  for (const [, name = '', value = ''] of rule.matchAll(/--([\w-]+): (.*);/g)) {
    const found = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) ?([\d.]*)\)/g)].map(
      ([, light, chroma, hue]) => luminance(Number(light), Number(chroma), Number(hue)),
    )
    const [first, second = first] = found
    if (first !== undefined && second !== undefined) colours[name] = [first, second]
  }
  return colours
}

/** Returns the relative luminance (WCAG 2) of an OKLCH colour. */
function luminance(light: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  const within = (value: number) => Math.min(1, Math.max(0, value))
  return (
    0.2126 * within(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * within(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * within(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  )
}

const contrast = (one: number, two: number) =>
  (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)

const usual = tokensOf(':root')
const more = { ...usual, ...tokensOf(':root[data-contrast="more"]') }
const surfaces = [
  'surface-0',
  'surface-1',
  'surface-2',
  'surface-3',
  'surface-top',
  'surface-chosen',
]
const words = ['text', 'text-2', 'accent', 'running', 'working', 'attention', 'failed']

function contrastOf(tokens: typeof usual, front: string, back: string, theme: 0 | 1): number {
  const [one, two] = [tokens[front], tokens[back]]
  if (!one || !two) throw new Error(`${front} or ${back} is no colour`)
  return contrast(one[theme], two[theme])
}

test('black on white has a contrast of 21', () => {
  expect(contrast(luminance(1, 0, 0), luminance(0, 0, 0))).toBeCloseTo(21, 1)
})

for (const [name, tokens, least] of [
  ['usual', usual, 4.5],
  ['high', more, 7],
] as const) {
  for (const theme of [0, 1] as const) {
    test(`${name} contrast, ${theme ? 'dark' : 'light'}: every word is readable`, () => {
      const pairs = surfaces.flatMap((back) => words.map((front) => [front, back] as const))
      const poor = pairs
        .map(([front, back]) => ({ front, back, is: contrastOf(tokens, front, back, theme) }))
        .filter(({ is }) => is < least)
      expect(poor).toEqual([])
      expect(contrastOf(tokens, 'on-fill', 'accent-fill', theme)).toBeGreaterThan(4.5)
      expect(contrastOf(tokens, 'on-fill', 'danger-fill', theme)).toBeGreaterThan(4.5)
    })

    test(`${name} contrast, ${theme ? 'dark' : 'light'}: borders of fields are visible`, () => {
      for (const back of surfaces.filter((name) => name !== 'surface-3')) {
        expect(contrastOf(tokens, 'line-strong', back, theme), back).toBeGreaterThan(3)
      }
    })
  }
}
