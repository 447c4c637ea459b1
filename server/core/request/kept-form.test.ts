import { describe, expect, test } from 'vitest'
import { fieldNames, wholeForm } from './kept-form.ts'

const answer = {
  scId: 'a',
  scName: '文学院',
  scShort: '文',
  scSort: 3,
  majors: [{ smId: 'm', smName: '汉语' }],
  version: 7,
}

describe('a form that a plain caller sends', () => {
  test.each([
    ['what is left out is as it is stored', { scName: '新' }, [], { scName: '新', scShort: '文', scSort: 3 }],
    ['what is sent empty is empty', { scName: '新' }, ['scShort'], { scName: '新', scSort: 3 }],
    ['what is sent back is as it is stored', { scSort: 3 }, [], { scName: '文学院', scShort: '文', scSort: 3 }],
    ['what the record does not have is kept', { other: 1 }, [], { other: 1, scName: '文学院' }],
  ])('%s', (_, given, empty, expected) => {
    const { version, ...whole } = wholeForm(given, new Set([...Object.keys(given), ...empty]), { answer })
    expect(version).toBe(7)
    expect(whole).toMatchObject(expected)
    for (const name of empty) expect(whole).not.toHaveProperty(name)
  })
  test('a version that is sent is sent', () => {
    expect(wholeForm({ version: 6 }, new Set(['version']), { answer })).toMatchObject({ version: 6 })
  })
  test('fields that look otherwise in the answer are taken from the form, and what was answered means the same', () => {
    const kept = { answer: { files: [{ id: 'f', name: '章程' }], who: '安' }, form: { files: ['f'] } }
    expect(wholeForm({ files: [{ id: 'f', name: '章程' }], who: '安' }, new Set(['files', 'who']), kept)).toEqual({
      files: ['f'],
    })
    expect(wholeForm({ files: ['g'] }, new Set(['files']), kept)).toEqual({ files: ['g'] })
  })
})

test('the names of an answer are those at every depth', () => {
  expect([...fieldNames(answer)].sort()).toEqual(
    ['majors', 'scId', 'scName', 'scShort', 'scSort', 'smId', 'smName', 'version'].sort(),
  )
})
