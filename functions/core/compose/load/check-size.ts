import type { Project } from '../project.ts'
import { Problem } from '../yaml/problem.ts'

/** The largest project, in characters of keys and values. What is used many times counts each time. */
const charactersMax = 16 * 1024 * 1024

/**
 * Throws a `Problem` for a project that is larger than any honest one: a megabyte of text that many services extend, or
 * that many aliases or variables stand for, takes little room until somebody writes it down.
 */
export function checkSize(project: Project): void {
  let left = charactersMax
  const open: unknown[] = [project]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') left -= value.length
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        left -= key.length
        open.push(child)
      }
    }
    if (left < 0) throw new Problem('semantic', 'the resolved project is larger than 16 MiB')
  }
}
