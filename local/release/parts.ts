import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packClientLibrary } from '../../packaging/client/pack.ts'
import { nodeProgram } from '../../packaging/contents/node-program.mjs'
import { buildExecutable, buildPackages } from '../../packaging/executables/build-executable.ts'
import { bundleProgram } from '../../packaging/executables/bundle.ts'
import { nameOf, programs, targets } from '../../packaging/executables/targets.ts'
import { packInto } from '../../packaging/npm/pack.ts'
import { readManifest } from '../../packaging/npm/stage.ts'
import { writeArchive } from '../../packaging/release/archive.ts'
import { licencesOf } from '../../packaging/release/licences.ts'
import { billOfMaterials } from '../../packaging/release/sbom.ts'
import { bundledInputs, packageNames } from '../../packaging/release/shipped.ts'
import { ensurePackages } from '../setup/packages.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What a part is built into: a folder, and the time in seconds that its files get. */
export interface Place {
  folder: string
  time: number
}

/** A part of a release. Returns why it cannot be built on this machine, or nothing. */
type Part = (place: Place) => Promise<string | undefined>

/** The parts of a release by name. Each writes its files into the folder of the release. */
export const parts: Readonly<Record<string, Part>> = {
  executables: buildExecutables,
  npm: async ({ folder }) => void packInto(folder),
  client: async ({ folder }) => void packClientLibrary(folder),
  files: copyFiles,
  image: (place) => runProgram('packaging/image/build.mjs', place),
  deb: (place) => runProgram('packaging/deb/build.mjs', place),
  sbom: writeBill,
}

async function buildExecutables({ folder, time }: Place): Promise<string | undefined> {
  const lines: string[] = []
  if (!ensurePackages(buildPackages, 'the executables', (line) => lines.push(line)))
    return lines.join(' ')
  const place = mkdtempSync(join(tmpdir(), 'container-stacks-executables-'))
  try {
    for (const program of programs) {
      const { script, inputs } = await bundleProgram(program.main)
      const notices = join(place, 'THIRD-PARTY-LICENCES')
      writeFileSync(notices, licencesOf(inputs))
      for (const target of targets) {
        if (!program.systems.includes(target.os)) continue
        const file = join(place, program.name)
        buildExecutable(program, script, target, file)
        const name = `${program.name}-${readManifest().version}-${nameOf(target)}`
        const entries = [
          { name: program.name, source: file, mode: 0o755 },
          { name: 'LICENSE', source: join(root, 'LICENSE'), mode: 0o644 },
          { name: 'LICENSE.node', source: nodeProgram(target.node).licence, mode: 0o644 },
          { name: 'THIRD-PARTY-LICENCES', source: notices, mode: 0o644 },
        ]
        await writeArchive(join(folder, `${name}.tar.gz`), entries, time)
      }
    }
    return undefined
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Copies the description of the API, and what `docker compose` starts an image with. */
async function copyFiles({ folder }: Place): Promise<undefined> {
  for (const path of [
    'openapi/openapi.json',
    'openapi/openapi.yaml',
    'compose.yaml',
    'compose.dynamodb.yaml',
  ])
    copyFileSync(join(root, path), join(folder, basename(path)))
}

async function writeBill({ folder, time }: Place): Promise<undefined> {
  const bundled = packageNames(await bundledInputs())
  const nodeVersions = new Set(targets.map(({ node }) => nodeProgram(node).version))
  const text = billOfMaterials({ bundled, nodeVersions: [...nodeVersions] }, time)
  writeFileSync(join(folder, 'sbom.cdx.json'), text)
}

/** Runs a build program that writes its files into a folder. Its exit code 3 says why it cannot. */
async function runProgram(path: string, { folder, time }: Place): Promise<string | undefined> {
  if (!existsSync(join(root, path))) return `${path} does not exist`
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, '--out', folder], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
  })
  if (status === 3) return (stderr || stdout).trim()
  if (status !== 0) throw new Error(`${path} failed:\n${stdout}${stderr}`)
  return undefined
}
