import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { programFiles, serviceFiles } from '../contents/built-files.mjs'
import { file } from '../contents/entries.mjs'
import { bundledLicences } from '../contents/licences.mjs'
import { nodeFiles } from '../contents/node-program.mjs'
import { root } from '../contents/places.mjs'
import { runtimeModules } from '../contents/runtime-modules.mjs'

/** @typedef {import('../contents/architectures.mjs').Architecture} Architecture */
/** @typedef {import('../contents/entries.mjs').Entry} Entry */

/**
 * What is in a package: the folder of its control files, and its files.
 *
 * @typedef {{ folder: string, entries: (architecture: Architecture) => Entry[] }} Contents
 */

/** @type {(folder: string, name: string) => Buffer} */
const own = (folder, name) => readFileSync(new URL(`${folder}/${name}`, import.meta.url))

/** @type {Record<string, Contents>} */
export const packages = {
  'container-stacks': {
    folder: 'service',
    entries: (architecture) => [
      ...base('container-stacks', architecture),
      ...serviceFiles('usr/lib/container-stacks'),
      ...runtimeModules(architecture, 'usr/lib/container-stacks/node_modules'),
      ...['service', 'store', 'restore', 'reset-password'].map((program) => {
        const name = program === 'service' ? 'container-stacks' : `container-stacks-${program}`
        return command(name, 'container-stacks', `${program}.js`)
      }),
      file(
        'usr/lib/systemd/system/container-stacks.service',
        own('service', 'container-stacks.service'),
      ),
      file('etc/container-stacks/service.env', own('service', 'service.env'), 0o600),
      file(
        'usr/share/doc/container-stacks/configuration.md',
        readFileSync(`${root}docs/reference/configuration.md`),
      ),
    ],
  },
  'container-stacks-agent': {
    folder: 'agent',
    entries: (architecture) => [
      ...base('container-stacks-agent', architecture),
      ...programFiles('agent.js', 'usr/lib/container-stacks-agent'),
      command('container-stacks-agent', 'container-stacks-agent', 'agent.js'),
      file(
        'usr/lib/systemd/system/container-stacks-agent.service',
        own('agent', 'container-stacks-agent.service'),
      ),
      file('etc/container-stacks-agent/agent.env', own('agent', 'agent.env'), 0o600),
    ],
  },
  'container-stacks-cli': {
    folder: 'client',
    entries: (architecture) => [
      ...base('container-stacks-cli', architecture),
      ...programFiles('cli.js', 'usr/lib/container-stacks-cli'),
      command('container-stacks-cli', 'container-stacks-cli', 'cli.js'),
      ...manualPages(),
    ],
  },
}

/**
 * Returns what every package has.
 *
 * @param {string} name
 * @param {Architecture} architecture
 */
const base = (name, architecture) => [
  ...nodeFiles(architecture, {
    program: `usr/lib/${name}/bin/node`,
    licence: `usr/share/doc/${name}/copyright.nodejs`,
  }),
  file(`usr/lib/${name}/package.json`, '{ "type": "module" }\n'),
  file(`usr/share/doc/${name}/copyright`, readFileSync(`${root}LICENSE`)),
  file(`usr/share/doc/${name}/third-party-licences`, bundledLicences()),
]

/** The page of `cli` has the full name of the command: other packages may have a `cli` too. */
const manualPages = () =>
  readdirSync(`${root}docs/man`).map((page) =>
    file(
      `usr/share/man/man1/${page === 'cli.1' ? 'container-stacks-cli.1' : page}.gz`,
      gzipSync(readFileSync(`${root}docs/man/${page}`), { level: 9 }),
    ),
  )

/** @type {(name: string, home: string, program: string) => Entry} */
const command = (name, home, program) =>
  file(
    `usr/bin/${name}`,
    `#!/bin/sh\nexec /usr/lib/${home}/bin/node --heap-growing-percent=100 /usr/lib/${home}/${program} "$@"\n`,
    0o755,
  )
