import { readFileSync } from 'node:fs'
import { filesUnder } from './entries.mjs'
import { installModules } from './install-modules.mjs'
import { project, root } from './places.mjs'

/**
 * The packages that are not part of the bundles: programs of their own, and one whose parts are
 * stubs in the bundle of dockerode.
 */
export const external = ['@mongodb-js/zstd', '@node-rs/argon2', 'ssh2']

/** Optional parts of them that have to be compiled. They work without. */
const compiled = ['cpu-features', 'nan']

/**
 * @typedef {object} Locked
 * @property {string} version
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * Returns the modules that the built programs load, as entries below `prefix`. They have the
 * versions and digests of package-lock.json.
 *
 * @param {import('./architectures.mjs').Architecture} architecture
 * @param {string} prefix
 */
export function runtimeModules(architecture, prefix) {
  const modules = installModules('modules', architecture, narrowed())
  return filesUnder(modules, prefix, isNeeded)
}

/** Returns package.json and package-lock.json with only these packages and what they depend on. */
function narrowed() {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
  /** @type {Record<string, Locked>} */
  const kept = {}
  const open = [...external]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const key = `node_modules/${name}`
    /** @type {Locked} */
    const { optionalDependencies = {}, ...locked } = packages[key]
    if (kept[key]) continue
    const optional = Object.entries(optionalDependencies).filter(([one]) => !compiled.includes(one))
    kept[key] = { ...locked, optionalDependencies: Object.fromEntries(optional) }
    open.push(...Object.keys(locked.dependencies ?? {}), ...optional.map(([one]) => one))
  }
  const versions = external.map((name) => [name, kept[`node_modules/${name}`]?.version])
  const own = { name: 'runtime-modules', dependencies: Object.fromEntries(versions) }
  const sorted = Object.entries(kept).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    manifest: { ...own, private: true, version: project.version },
    lock: {
      name: own.name,
      version: project.version,
      lockfileVersion,
      requires: true,
      packages: { '': own, ...Object.fromEntries(sorted) },
    },
  }
}

/**
 * Returns whether a program reads the file: not types, source maps, tests and pages.
 *
 * @param {string} path
 */
function isNeeded(path) {
  if (/(^|\/)(LICEN[CS]E|NOTICE)[^/]*$/i.test(path)) return true
  if (/(^|\/)(test|tests|examples|util|\.github|\.bin)\//.test(path)) return false
  return !/\.(d\.[cm]?ts|map|md|markdown|c|cc|h|gyp|ya?ml)$|(^|\/)\.[^/]*$/i.test(path)
}
