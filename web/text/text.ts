import { signal } from '@preact/signals'
import { loadAgain } from '../browser/load-again.ts'
import { kept } from '../browser/storage.ts'
import type { Texts } from './en.ts'
import { frame } from './en-frame.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/**
 * The texts in the reader's language. Read them in functions only: they load after the modules. At
 * first they are those of the frame in English. Those of screens are there before a screen is
 * (`screenTexts`).
 */
export let t = frame as Texts

/** The language that `t` is in. */
export const language = signal<Language>('en')

/** Returns the language that the texts are in, as used in the reader's region, for times. */
export const timeLocale = (): string => regional(language.value, navigator.language)

/** Returns the language that the texts are in, as the reader writes it, for numbers. */
export const numberLocale = (): string => ofTexts(language.value, navigator.language)

/**
 * Returns a language as used in the region of a browser: a reader in Germany who chose English
 * texts gets 24 hours and the day before the month.
 */
export function regional(chosen: Language, browser: string): string {
  const { region } = new Intl.Locale(browser).maximize()
  return region ? `${chosen}-${region}` : chosen
}

/**
 * Returns a language in the variant of a browser, if that is in the same language. English texts
 * have 3.8 MiB in Germany too, as the output of programs beside them has.
 */
export const ofTexts = (chosen: Language, browser: string): string =>
  browser.split('-')[0] === chosen ? browser : chosen

/** Returns the language that was chosen, or that of the browser if there are texts in it. */
export function preferredLanguage(): Language {
  const wanted = [kept.getItem('language') ?? '', ...navigator.languages]
  const known = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => Object.hasOwn(languages, tag))
  return (known as Language | undefined) ?? 'en'
}

const load = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
}

/** Sets the texts. Tests do so for what screens call; the UI loads them. */
export function setTexts(texts: Texts): void {
  t = texts
}

/** Loads the texts of a language. Components that are mounted keep theirs until they render. */
export async function loadTexts(wanted: Language): Promise<void> {
  setTexts(await loadAgain(load[wanted]))
  language.value = wanted
  document.documentElement.lang = wanted
}

let loading: Promise<void> | undefined

/** Loads all texts in the reader's language, once. */
export function screenTexts(): Promise<void> {
  loading ??= loadTexts(preferredLanguage()).catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}
