import { ownEntry } from '../lookup.ts'
import type { Service } from '../service.ts'
import { parseBytes } from '../units.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'

/**
 * Yields options of log drivers that do more than format the log of the container. The Engine
 * evaluates the options in its own memory; a tag is a Go template.
 */
export function* logReach({ logging }: Service, at: Path): Generator<Finding> {
  for (const [key, value] of Object.entries(logging?.options ?? {})) {
    const isAllowed = ownEntry(allowedOptions, key)
    if (isAllowed?.(value)) continue
    const detail = `this value of the log option ${key}`
    yield { path: [...at, 'logging', 'options', key], detail }
  }
}

const isShort = (value: string) => value.length <= 1000
const isFlag = (value: string) => /^(true|false)?$/.test(value)
const isSize = (value: string) => /^(-1|\d+(\.\d+)?[kmg]?(i?b)?)?$/i.test(value)
const isCount = (value: string) => /^\d{0,3}$/.test(value)
/** The length is limited because the Engine's regular expression parser is recursive. */
const isExpression = (value: string) => value.length <= 200
/**
 * Allows only fields of the container. Functions such as `pad` can fill the memory of the Engine.
 */
const isTag = (value: string) =>
  isShort(value) && /^([^{}]|\{\{\s*\.[A-Za-z]+\s*\}\})*$/.test(value)
/**
 * The maximum buffer per container. The Engine allocates it outside the container's memory limit.
 */
const bufferMax = 64n * 1024n * 1024n
const isBuffer = (value: string) => (parseBytes(value) ?? bufferMax + 1n) <= bufferMax

const allowedOptions: Record<string, (value: string) => boolean> = {
  'max-size': isSize,
  'max-file': isCount,
  compress: isFlag,
  mode: (value) => /^(non-)?blocking$/.test(value),
  'max-buffer-size': isBuffer,
  labels: isShort,
  env: isShort,
  'labels-regex': isExpression,
  'env-regex': isExpression,
  tag: isTag,
  'cache-disabled': isFlag,
  'cache-max-size': isSize,
  'cache-max-file': isCount,
  'cache-compress': isFlag,
}
