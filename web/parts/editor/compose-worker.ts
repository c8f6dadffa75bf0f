import { hoverAt, optionsAt } from './compose-help.ts'
import type { Schema } from './schema-walk.ts'

/** The schema of compose files that the service checks with, set by the build. */
declare const COMPOSE_SCHEMA: Schema

export interface Question {
  id: number
  kind: 'options' | 'hover'
  text: string
  offset: number
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const answer = data.kind === 'options' ? optionsAt : hoverAt
  postMessage({ id: data.id, answer: answer(COMPOSE_SCHEMA, data.text, data.offset) })
})
