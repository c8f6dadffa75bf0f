import {
  builtinRoles,
  type Permission,
  permissions,
} from '../../../functions/core/records/permissions.ts'
import { fillTable } from '../../fill-table.ts'
import { type JudgedWay, rank, worstOf } from './reach.ts'

/** Returns a document with the generated table of what each permission reaches in its place. */
export function withWorstTable(document: string, ways: readonly JudgedWay[]): string {
  return fillTable(document, 'alone', worstTable(ways))
}

/**
 * Returns in Markdown the worst of each permission alone, of each pair that gives more than both
 * alone, and of the built-in roles.
 */
function worstTable(ways: readonly JudgedWay[]): string {
  const alone = permissions.map((one) => lineOf([one], ways))
  const some = alone.filter(({ isNothing }) => !isNothing)
  const none = alone.filter(({ isNothing }) => isNothing)
  const pairs = pairsOf(permissions).flatMap((pair) => {
    const line = lineOf(pair, ways)
    const apart = pair.map((one) => lineOf([one], ways))
    return apart.every((one) => line.now > one.now) || apart.every((one) => line.end > one.end)
      ? [line]
      : []
  })
  const roles = Object.entries(builtinRoles).map(
    ([name, list]) => `| the role ${name} ${lineOf(list, ways).cells}`,
  )
  const head = '| alone, or together | worst | if others act | how |\n|---|---|---|---|'
  const rest = `| ${none.map(({ names }) => names).join(', ')} | nothing | nothing | |`
  const named = [...some, ...pairs].map(({ names, cells }) => `| ${names} ${cells}`)
  return [head, ...named, rest, ...roles].join('\n')
}

function lineOf(held: readonly Permission[], ways: readonly JudgedWay[]) {
  const now = worstOf(held, ways)
  const later = worstOf(held, ways, { withOthers: true })
  const reasons = rank(later.worst) > rank(now.worst) ? [now, later] : [now]
  const named = reasons.filter(({ worst }) => worst !== 'nothing')
  const how = named.map(({ route, why }) => `\`${route}\`: ${why}`).join('; ')
  return {
    now: rank(now.worst),
    end: rank(later.worst),
    isNothing: later.worst === 'nothing',
    names: held.map((one) => `\`${one}\``).join(', '),
    cells: `| ${now.worst} | ${later.worst} | ${how} |`,
  }
}

const pairsOf = (all: readonly Permission[]) =>
  all.flatMap((one, at) => all.slice(at + 1).map((other): [Permission, Permission] => [one, other]))
