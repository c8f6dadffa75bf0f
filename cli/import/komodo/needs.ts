import { quoted } from '../../folder/quoted.ts'
import type { PeerGit } from '../peer-stack.ts'
import { pathInFolder } from '../write-folders.ts'
import type { Needed, Origin, ShownFiles } from './files.ts'
import type { KomodoStack } from './resources.ts'

/** What was found of the files of a stack. `git` is null if it has no repository. */
interface Found {
  shown: ShownFiles
  needed: Needed
  git: PeerGit | null
}

/** Returns what prevents an import that a person can change. */
export function needsOf(
  { status, config }: KomodoStack,
  { origin, name, directory }: { origin: Origin; name: string; directory: string | null },
  { shown, needed, git }: Found,
): string | null {
  const { composeFiles, files, hidden, unknown } = shown
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name))
    return `docker compose does not accept the project name ${name}: set project_name in Komodo`
  if (status === 'deploying')
    return 'Komodo deploys it at the moment: wait, and run the same command again'
  if (origin === 'git' && git === null)
    return `its repository ${config.linked_repo} was not read: add its [[repo]] to the file`
  if (unknown.length > 0)
    return `its compose file has ${unknown.join(', ')}, whose value was not read: in Komodo, move it to the environment`
  const adopt = (place: string) => `run cli stacks adopt ${place} --name ${quoted(name)} --with-env`
  const clone = `clone ${quoted(git?.url ?? '')} and ${adopt('<its folder>')}`
  const place = directory === null ? '<its directory>' : quoted(directory)
  const lacks = [...hidden.filter((path) => composeFiles.includes(path)), ...needed.missing]
  if (lacks.length > 0) {
    if (origin === 'git') return `its files are in git: ${clone}`
    if (files.length === 0) return `its files are on the host: there, ${adopt(place)}`
    return `its compose file needs ${lacks.join(', ')}, which was not read: on the host, ${adopt(place)}`
  }
  const [first = ''] = composeFiles
  const paths = [...composeFiles, ...files.map(({ path }) => path)]
  const elsewhere = paths.find((path) => pathInFolder(first, path) === undefined)
  if (elsewhere === undefined) return null
  const problem = `${elsewhere} is not below the directory of ${first}, or has other characters than letters, digits, dots and hyphens`
  return `${problem}: ${origin === 'git' ? clone : `on the host, ${adopt(place)}`}`
}
