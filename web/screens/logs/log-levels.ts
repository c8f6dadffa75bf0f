import { ownEntry } from '../../data/own-entry.ts'
import { plainText } from './ansi.ts'

export type Level = 'error' | 'warn' | 'info' | 'debug'

export const levelNames: readonly Level[] = ['error', 'warn', 'info', 'debug']

const words: Readonly<Record<Level, string>> = {
  error:
    'emerg emergency alert crit critical fatal ftl panic pnc severe err error fail failed 60 50',
  warn: 'warn warning wrn 40',
  info: 'notice note info information inf informational system log 30',
  debug:
    'debug dbg dbug debug1 debug2 debug3 debug4 debug5 trace trc trce verbose fine finer 20 10',
}
const levels: Readonly<Record<string, Level>> = Object.fromEntries(
  levelNames.flatMap((level) => words[level].split(' ').map((word) => [word, level])),
)
/** The numbers of syslog, which are lower than those of pino. */
const syslog: readonly Level[] = [
  'error',
  'error',
  'error',
  'error',
  'warn',
  'info',
  'info',
  'debug',
]

/** Returns the level that a word or number stands for, such as `WARNING` or 40. */
export function levelNamed(word: string): Level | undefined {
  return /^[0-7]$/.test(word) ? syslog[Number(word)] : ownEntry(levels, word.toLowerCase())
}

/** A field of JSON or of logfmt, also as Serilog and MongoDB name it. */
const jsonField =
  /"(?:level|lvl|severity|levelname|loglevel|log\.level|@l|level_name)"\s*:\s*"?([A-Za-z0-9]+)/
const mongoField = /^\{"t":\{.{1,60}?\},\s*"s":"([FEWID])/
const logfmtField = /(?:^|[\s,])(?:level|lvl|severity|loglevel)=["']?([A-Za-z0-9]+)/
/** `E1129 10:00:00.000000 …` */
const klog = /^([IWEF])\d{4} \d\d:\d\d:\d\d/
/** `1:M 29 Nov 2026 10:00:00.000 # …` of Redis */
const redis = /^\d+:[XCSM] \d\d? \w{3} \d{4} [\d:.]+ ([.\-*#]) /
/** `<3>` of systemd and syslog. */
const priority = /^<([0-7])>/
/** `[warn]`, `(error)`, `[main/INFO]` */
const bracketed = /[[(<](?:[^\])>]{0,40}[/ :])?([A-Za-z]{3,13})\d?[\])>]/g
/** `error: …`, `warn: …` at the beginning. */
const leading = /^([A-Za-z]{3,11})\d?:(?:\s|$|\w)/
/** `ERROR`, in capitals, on its own. */
const capitals = /(?:^|[\s|:\]-])([A-Z]{3,11})\d?(?=$|[\s:|\]-])/g
const letters: Readonly<Record<string, Level>> = {
  F: 'error',
  E: 'error',
  W: 'warn',
  I: 'info',
  D: 'debug',
  '#': 'warn',
  '*': 'info',
  '-': 'debug',
  '.': 'debug',
}

/** A level stands in the first part of a line; a field of JSON may come later. */
const headLength = 160
const jsonLength = 2000

/** Returns the level that a line names, in one of the usual formats. */
export function levelOf(text: string): Level | undefined {
  const shown = plainText(text.slice(0, jsonLength)).trimStart()
  if (shown.startsWith('{')) return ofJson(shown)
  const head = shown.slice(0, headLength)
  const letter = klog.exec(head)?.[1] ?? redis.exec(head)?.[1]
  if (letter !== undefined) return ownEntry(letters, letter)
  const named = logfmtField.exec(shown)?.[1] ?? priority.exec(head)?.[1] ?? leading.exec(head)?.[1]
  return (named && levelNamed(named)) || firstOf(head, bracketed) || firstOf(head, capitals)
}

function ofJson(text: string): Level | undefined {
  const letter = mongoField.exec(text)?.[1]
  if (letter !== undefined) return ownEntry(letters, letter)
  return levelNamed(jsonField.exec(text)?.[1] ?? '')
}

function firstOf(text: string, pattern: RegExp): Level | undefined {
  for (const [, word = ''] of text.matchAll(pattern)) {
    const level = levelNamed(word)
    if (level) return level
  }
  return undefined
}
