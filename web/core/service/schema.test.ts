import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call } from '../../../contract/core/call.ts'
import {
  amount,
  choice,
  flag,
  id,
  dateTime,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  text,
  integer,
} from '../../../contract/core/fields.ts'
import { paged, paging, sortedBy } from '../../../contract/core/paging.ts'
import { chosenColumns, sortNameOf, widthOf, type Column } from '../list/columns.tsx'
import { listInput, markOpening, readState, withOpening, writeState } from '../list/list-state.ts'
import { digitsOf } from '../parts/number-input.tsx'
import { defaultsOf, factsOf, faultOf, fieldsOf, schemaAt, validFields } from './schema.ts'

const form = z
  .strictObject({
    name: text('名称', 20).min(2, '名称至少 2 个字'),
    short: optionalText('简称', 10),
    owner: choice('负责人'),
    kind: pick('类型', ['1', '2']).default('1'),
    hours: amount('学时', 200).optional(),
    quota: integer('名额', 1, 100),
    isOpen: flag('开放').default(false),
    sessions: z
      .array(z.strictObject({ startTime: dateTime('开始时间'), place: optionalText('地点', 5) }))
      .max(3)
      .default([]),
  })
  .check(() => undefined)

describe('what a form learns from the contract', () => {
  it.each([
    ['name', { label: '名称', required: true, max: 20 }],
    ['short', { label: '简称', required: false, max: 10 }],
    ['owner', { label: '负责人', required: true }],
    ['kind', { label: '类型', required: false }],
    ['hours', { label: '学时', required: false, amount: true, max: 200 }],
    ['quota', { label: '名额', required: true, min: 1, max: 100 }],
  ])('%s', (name, facts) => expect(factsOf(fieldsOf(form)[name])).toMatchObject(facts))
  it('reaches fields inside lists, whatever their place', () => {
    expect(factsOf(schemaAt(form, ['sessions', 2, 'startTime']))).toMatchObject({ label: '开始时间', required: true })
    expect(factsOf(schemaAt(form, ['sessions', 0, 'place']))).toMatchObject({ label: '地点', required: false, max: 5 })
    expect(schemaAt(form, ['nowhere', 0, 'x'])).toBeUndefined()
  })
  it('reads fields through transforms too', () =>
    expect(Object.keys(fieldsOf(form.transform((value) => value)))).toContain('name'))
  it('knows what the fields begin with', () =>
    expect(defaultsOf(form)).toEqual({ kind: '1', isOpen: false, sessions: [] }))
  it.each([
    ['name', '', '请输入名称'],
    ['name', '  ', '请输入名称'],
    ['name', '一', '名称至少 2 个字'],
    ['name', '一二', undefined],
    ['short', '', undefined],
    ['short', null, undefined],
    ['short', '一二三四五六七八九十一', '简称不能超过 10 个字'],
    ['owner', undefined, '请选择负责人'],
    ['hours', '2.5', undefined],
    ['hours', '2.555', '学时须为 0 至 200 之间、最多两位小数的数'],
    ['quota', '0', '名额不能小于 1'],
    ['quota', '', '请输入名额'],
  ])('%s %j -> %s', (name, value, fault) => expect(faultOf(fieldsOf(form)[name]!, value)).toBe(fault))
})

const list = call('GET', '/list', {
  summary: '列表',
  permit: 'thing:list',
  input: paging.extend({
    ...sortedBy('name'),
    liId: id().optional(),
    name: text('名称', 5).optional(),
    kind: pick('类型', ['1', '2']).optional(),
    from: rangeStart('起').optional(),
    to: rangeEnd('止').optional(),
  }),
  output: paged(z.object({})),
})
const liId = '01890a5d-ac96-774b-bcce-b302099a8057'
const read = (query: string) => readState(list, new URLSearchParams(query), 10)

describe('list state in the address', () => {
  it('takes what the call takes and drops the rest', () => {
    expect(
      validFields(list.input, {
        name: '过长的名称啊',
        kind: '3',
        from: '2026-02-30',
        to: '2026-03-01 23:59:59',
        other: 'x',
      }),
    ).toEqual({ to: '2026-03-01 23:59:59' })
    expect(read('kind=2&current=0&pageSize=1000&sort=name')).toEqual({
      filters: { kind: '2' },
      current: 1,
      pageSize: 10,
      sort: undefined,
      order: undefined,
    })
    expect(read('current=3&pageSize=50&sort=name&order=desc')).toEqual({
      filters: {},
      current: 3,
      pageSize: 50,
      sort: 'name',
      order: 'desc',
    })
  })
  it('gives back what it wrote', () => {
    const state = {
      filters: { name: '急救', kind: '1' },
      current: 4,
      pageSize: 20,
      sort: 'name',
      order: 'asc' as const,
    }
    expect(read(writeState(list, new URLSearchParams(), state, 10).toString())).toEqual(state)
  })
  it('leaves foreign parameters and their order alone, and writes no defaults', () => {
    const before = new URLSearchParams(`liId=${liId}&tab=people&kind=1`)
    expect(writeState(list, before, { ...read(before.toString()), filters: { liId, name: '甲' } }, 10).toString()).toBe(
      `liId=${liId}&tab=people&name=%E7%94%B2`,
    )
  })
  it('sends filters, page and order with what the page fixes', () =>
    expect(listInput(read('kind=2&current=2'), { liId })).toEqual({ kind: '2', liId, current: 2, pageSize: 10 }))
})

describe('the filters a page opens with', () => {
  const opening = { from: '2026-09-01 00:00:00', to: '2027-01-31 23:59:59' }
  const opened = (query: string) => Object.fromEntries(withOpening(list, new URLSearchParams(query), opening))
  it.each([
    ['', opening],
    ['by=rate&show=list', { by: 'rate', show: 'list', ...opening }],
    ['current=2&sort=name&order=asc', { current: '2', sort: 'name', order: 'asc', ...opening }],
    ['kind=2', { kind: '2' }],
    ['unfiltered=1&by=rate', { unfiltered: '1', by: 'rate' }],
  ])('of ?%s', (query, expected) => expect(opened(query)).toEqual(expected))

  const marked = (query: string) => markOpening(new URLSearchParams(query), opening).toString()
  it('stay away once all were taken away, and come back when one is set again', () => {
    expect(marked('')).toBe('unfiltered=1')
    expect(marked('kind=2&show=list')).toBe('kind=2&show=list&unfiltered=1')
    expect(marked('unfiltered=1&from=2026-09-01')).toBe('from=2026-09-01')
  })
  it('are none for most lists, whose addresses have no mark', () =>
    expect(markOpening(new URLSearchParams('kind=2'), undefined).toString()).toBe('kind=2'))
})

describe('columns', () => {
  interface Row {
    a: string
    b: string
    c: string
  }
  const columns: Column<Row>[] = [
    { title: '甲', dataIndex: 'a', width: 100 },
    { title: '乙', dataIndex: 'b', width: 80, sorter: true },
    { title: '丙', dataIndex: 'c', sorter: 'cc', hiddenAtFirst: true },
  ]
  const titles = (choice?: Parameters<typeof chosenColumns>[1]) =>
    chosenColumns(columns, choice)
      .map((column) => column.title)
      .join('')
  it('follow the person, the first always stays', () => {
    expect(titles()).toBe('甲乙')
    expect(titles({ order: ['a', 'c', 'b'], hidden: [] })).toBe('甲丙乙')
    expect(titles({ order: ['a', 'b', 'c'], hidden: ['a', 'b'] })).toBe('甲丙')
  })
  it('know their width and the name they are sorted by', () => {
    expect(widthOf(columns, 48)).toBe(100 + 80 + 200 + 48)
    expect([sortNameOf(columns, 'a'), sortNameOf(columns, 'b'), sortNameOf(columns, 'c')]).toEqual([
      undefined,
      'b',
      'cc',
    ])
  })
})

it.each([
  ['12a3', 0, '123'],
  ['１２．５', 0, '125'],
  ['１２．５', 2, '12.5'],
  ['1.2.3', 2, '1.23'],
  ['-3.456', 2, '3.45'],
  ['.', 2, '.'],
])('digits of %s with %d decimals', (typed, decimals, kept) => expect(digitsOf(typed, decimals)).toBe(kept))
