import { signal } from '@preact/signals'
import { loadAgain } from '../data/load-again.ts'
import { en, type Texts } from './en.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The texts in the reader's language. Read them in functions only: they load after the modules. */
export let t: Texts = en

/** The language that `t` is in. */
export const language = signal<Language>('en')

/**
 * Returns the reader's variant of the language that the texts are in, for dates and figures: with
 * English texts a reader in Britain gets 24 hours.
 */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.startsWith(language.value)) ?? language.value

/** Returns the language that was chosen, or that of the browser if there are texts in it. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem('language') ?? '', ...navigator.languages]
  const known = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => Object.hasOwn(languages, tag))
  return (known as Language | undefined) ?? 'en'
}

/** Loads the texts of a language. Components that are mounted keep theirs until they render. */
export async function loadTexts(wanted: Language): Promise<void> {
  t = wanted === 'de' ? (await loadAgain(() => import('./de.ts'))).de : en
  language.value = wanted
  document.documentElement.lang = wanted
}
