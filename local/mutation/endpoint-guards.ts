import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'

const unit = (file: string) => [file.replace(/\/[^/]+$/, '')]

const guard =
  /^ *(?:if \(.*\) )?(?:await )?(?:refuse|requireWithin|requirePermissions|requireEveryHost|requireTagsWithin|requireRole|requireJob|refuseLastAdmin|requireSession|ensureLock)(?:\?\.)?\(.*\)$/gm

/** Returns each call of a guard in an endpoint, found by its name. */
export function guardCalls(root: string): Mutation[] {
  return sources(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...text.matchAll(guard)].map(([line]) => line)
    const removed = found.map((line) => ({
      name: line.trim(),
      file,
      // Includes the line breaks, because a longer line may contain the same text.
      text: `\n${line}\n`,
      without: '\n\n',
      tests: unit(file),
    }))
    const replaced = [...text.matchAll(/const \w+ = requireSession\(caller\)/g)].map(([line]) => ({
      name: line,
      file,
      text: line,
      without: line.replace('requireSession(caller)', '(caller.credential as any).sessionId'),
      tests: unit(file),
    }))
    return [...removed, ...replaced]
  })
}

/**
 * Returns the declaration of each endpoint, one step weaker: any valid credential instead of the
 * permission, none instead of any credential.
 */
export function declaredAccess(root: string): (Mutation & { route: string })[] {
  const manifest = readFileSync(join(root, 'serverless.ts'), 'utf8')
  const lines = manifest.matchAll(/'([^']+)': \(\) => import\('\.\/(functions\/[^']+)'\)/g)
  return [...lines].flatMap(([, route = '', file = '']) => {
    const text = readFileSync(join(root, file), 'utf8')
    const [line, access] = /^ {2}access: '([a-z:-]+)',$/m.exec(text) ?? []
    if (!line || access === 'public') return []
    const without = `  access: '${access === 'signed-in' ? 'public' : 'signed-in'}',`
    const name = `access: ${access}`
    const shown = route.replace(/ +/g, ' ')
    return [{ name, file, text: line, without, tests: ['local/matrix/declared'], route: shown }]
  })
}

function sources(root: string): string[] {
  return readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `functions/${file}`)
    .filter((file) => !/^functions\/(compose|core|kit)\//.test(file))
    .sort()
}
