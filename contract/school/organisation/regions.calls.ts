import { z } from 'zod'
import { call } from '../../core/call.ts'
import { nothing, option } from '../../core/fields.ts'

const code = z.object({ id: z.string('请选择地区').regex(/^\d{6}$/, '地区代码须为六位数字') })

/** A province, city or area by its six-digit code (GB/T 2260). */
export const region = z.object({ code: z.string(), name: z.string() })
export type Region = z.output<typeof region>

export const regionApi = {
  provinces: call('GET', '/sysUserInfo/getProvince', {
    summary: '省份',
    permit: 'public',
    input: nothing,
    output: z.array(region),
  }),
  cities: call('GET', '/sysUserInfo/getCity/{id}', {
    summary: '城市',
    permit: 'public',
    input: code,
    output: z.array(region),
  }),
  areas: call('GET', '/sysUserInfo/getArea/{id}', {
    summary: '区县',
    permit: 'public',
    input: code,
    output: z.array(region),
  }),
  tree: call('GET', '/sysUserInfo/provinceCityAreaTree', {
    summary: '省市区树',
    permit: 'public',
    input: nothing,
    output: z.array(region.extend({ children: z.array(region.extend({ children: z.array(region) })) })),
  }),
  nations: call('GET', '/sysUserInfo/getNation', {
    summary: '民族',
    permit: 'signed-in',
    input: nothing,
    output: z.array(option),
  }),
  grades: call('GET', '/sysUserInfo/getGrade', {
    summary: '年级',
    permit: 'signed-in',
    input: nothing,
    output: z.array(option),
  }),
}
