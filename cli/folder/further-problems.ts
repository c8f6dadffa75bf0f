import { diagnose } from '../../functions/compose/diagnose/diagnose.ts'
import type { ComposeInput } from '../../functions/compose/project.ts'
import type { ComposeFiles } from './compose-files.ts'

/**
 * Returns how many errors the files of a project have besides the one at which loading ended.
 *
 * @param read the files that compose files read, by path in the directory
 */
export function furtherProblems(
  { root, main, overlays, env }: ComposeFiles,
  read: Readonly<Record<string, string>>,
): number {
  const texts = [main, ...Object.values(overlays)].map(({ path, text }) => [path, text])
  const input = (composeFiles: string[]): ComposeInput => ({
    name: 'stack',
    directory: root,
    reach: 'host',
    environment: {},
    profiles: [],
    composeFiles,
    files: {
      ...read,
      ...Object.fromEntries(texts),
      ...(env === undefined ? {} : { '.env': env }),
    },
  })
  const inputs = [undefined, ...Object.values(overlays)].map((overlay) =>
    input([main.path, ...(overlay ? [overlay.path] : [])]),
  )
  const { problems } = diagnose(inputs, { anyName: true, showsSecrets: true })
  return Math.max(0, problems.filter(({ severity }) => severity === 'error').length - 1)
}
