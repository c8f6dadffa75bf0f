import { isTest, type Source } from './source.ts'

/** The files that may enter a container: one checks whether its caller may, one every call. */
const doors = [
  'functions/core/owners/enter-container.ts',
  'functions/core/owners/protect-installation.ts',
]

/** Calls of an Engine that enter a container. A pattern's `exec` takes no signal. */
const entering = [
  /\.(attach\(|commitContainer\b|readFromContainer\b|statInContainer\b|writeIntoContainer\b)/,
  /\.exec\([^()]*(?:\([^()]*\)[^()]*)*,\s*(signal|either|[\w.]+\.signal)\b/,
  /\b[eE]ngine\s*\.exec\b/,
  /\{[^{}]*\b(exec|attach|commitContainer|readFromContainer|statInContainer|writeIntoContainer)\b[^{}]*\} = \w*[eE]ngine\b/,
]

/** Returns the files of functions that enter a container without `enterContainer`. */
export const unguardedEntries = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('functions/') && !doors.includes(path) && !isTest(path))
    .filter(({ text }) => entering.some((call) => call.test(withoutEntered(text))))
    .map(({ path }) => path)

/** Returns a text without calls of what `enterContainer` has returned. */
const withoutEntered = (text: string) => text.replaceAll(/\bentered\.(?:exec|attach)\(/g, '')
