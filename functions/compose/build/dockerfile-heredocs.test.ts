import { expect, test } from 'vitest'
import { heredocsIn } from './dockerfile-heredocs.ts'

/** The line of an instruction → its here-documents, as BuildKit finds them. */
test.each<[line: string, found: [name: string, chomp: boolean][]]>([
  ['RUN <<EOF', [['EOF', false]]],
  ['RUN <<E-F', [['E-F', false]]],
  ['RUN <<3', [['3', false]]],
  ['RUN <<-EOF', [['EOF', true]]],
  ['RUN 3<<EOF', [['EOF', false]]],
  ['RUN <<"EOF"', [['EOF', false]]],
  ["RUN <<'E O'F", [['E OF', false]]],
  ['RUN <<E\\OF', [['EOF', false]]],
  ['RUN <<$NAME', [['$NAME', false]]],
  ['RUN <<${NAME}', [['${NAME}', false]]],
  [
    'COPY <<a <<-b /x/',
    [
      ['a', false],
      ['b', true],
    ],
  ],
  ['RUN cat <<EOF>/x', [['EOF>/x', false]]],
  ['RUN cat <<EOF | sh', [['EOF', false]]],
  ['RUN << EOF', []],
  ['RUN <<<EOF', []],
  ['RUN a<<EOF', []],
  ['RUN "<<EOF"', []],
  ['RUN \\<<EOF', []],
  ['RUN echo $((1<<2))', []],
  ["RUN echo it's <<EOF", []],
  ['RUN echo ${a <<EOF', []],
  ['RUN <<""', []],
])('%s has the here-documents %j', (line, found) => {
  expect(heredocsIn(line)).toEqual(found.map(([name, chomp]) => ({ name, chomp })))
})
