import { expect, test } from 'vitest'
import { statutoryDays } from './statutory.ts'

const startsOf = (year: number) => Object.fromEntries(statutoryDays(year).map(({ hdName, hdStart, hdEnd }) => [hdName, hdStart === hdEnd ? hdStart.slice(5) : `${hdStart.slice(5)}/${hdEnd.slice(5)}`]))

test.each([
  [2025, { 元旦: '01-01', 春节: '01-28/01-31', 清明节: '04-04', 劳动节: '05-01/05-02', 端午节: '05-31', 国庆节: '10-01/10-03', 中秋节: '10-06' }],
  [2026, { 元旦: '01-01', 春节: '02-16/02-19', 清明节: '04-05', 劳动节: '05-01/05-02', 端午节: '06-19', 中秋节: '09-25', 国庆节: '10-01/10-03' }],
  [2027, { 元旦: '01-01', 春节: '02-05/02-08', 清明节: '04-05', 劳动节: '05-01/05-02', 端午节: '06-09', 中秋节: '09-15', 国庆节: '10-01/10-03' }],
  [2028, { 元旦: '01-01', 春节: '01-25/01-28', 清明节: '04-04', 劳动节: '05-01/05-02', 端午节: '05-28', 国庆节: '10-01/10-03' }],
  [2040, { 元旦: '01-01', 清明节: '04-04', 劳动节: '05-01/05-02', 国庆节: '10-01/10-03' }],
])('the holidays of %i', (year, days) => expect(startsOf(year)).toEqual(days))
