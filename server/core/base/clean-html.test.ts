// @vitest-environment jsdom
import { describe, expect, test } from 'vitest'
import { imagesIn, plainText, richTags } from '../../../contract/core/rich-text.ts'
import { scriptFile as file, vectors } from '../../testing/script-vectors.ts'
import { cleanHtml, cleanRichText } from './clean-html.ts'

/** Everything wrong with a cleaned text, as a browser would read it. */
function wrong(html: string): string[] {
  return [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')].flatMap((element) => {
    const tag = element.tagName.toLowerCase()
    const faults = (richTags as readonly string[]).includes(tag) || tag === 'tbody' ? [] : [`element ${tag}`]
    for (const { name, value } of element.attributes) {
      const fits =
        name === 'href'
          ? /^(https?:\/\/|mailto:|tel:)/.test(value)
          : name === 'src'
            ? value === file
            : name === 'style'
              ? /^text-align:\s?(center|right|justify)$/.test(value)
              : name === 'alt' || ((name === 'colspan' || name === 'rowspan') && /^[1-9]\d?$/.test(value))
      if (!fits) faults.push(`${tag} ${name}=${value}`)
    }
    return faults
  })
}

describe('the text of news', () => {
  test.each(vectors.map((html) => [html]))('holds nothing that runs or reaches out: %s', (html) => {
    const cleaned = cleanHtml(html)
    expect(wrong(cleaned)).toEqual([])
    expect(cleanHtml(cleaned)).toBe(cleaned)
  })

  test.each(vectors.map((html) => [html]))('and stays what it is when it comes again: %s', (html) => {
    const cleaned = cleanRichText(html)
    expect(wrong(cleaned)).toEqual([])
    expect(cleanRichText(cleaned)).toBe(cleaned)
  })

  test.each([
    ['一\n1 < 2', '<p>一</p><p>1 &lt; 2</p>'],
    ['&lt;b&gt;<script>alert(1)</script>', '<p>&lt;b&gt;</p>'],
    ['<b>粗</b>', '<strong>粗</strong>'],
    ['  ', ''],
    ['<script>alert(1)</script>', ''],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanRichText(given)).toBe(kept)
    expect(cleanRichText(kept)).toBe(kept)
  })

  test('keeps what editors write', () => {
    const html = `<h2>标题</h2><p style="text-align:center">一<strong>二</strong><em>三</em></p><ul><li>四</li></ul><p><a href="https://example.edu.cn/a?b=1&amp;c=2">五</a></p><table><tbody><tr><td colspan="2">六</td></tr></tbody></table><img src="${file}" alt="图" />`
    expect(cleanHtml(html)).toBe(html)
    expect(imagesIn(cleanHtml(html))).toEqual(['11111111-1111-7111-8111-111111111111'])
    expect(plainText(html)).toBe('标题 一 二 三 四 五 六')
  })

  test('is written in the same elements, whatever program it comes from', () => {
    expect(
      cleanHtml(
        '<div><b>甲</b><i>乙</i><h1>丙</h1></div><p class="MsoNormal" style="margin:0;text-align:center"><span lang="EN-US">丁<o:p></o:p></span></p>',
      ),
    ).toBe('<p><strong>甲</strong><em>乙</em><h2>丙</h2></p><p style="text-align:center">丁</p>')
  })
})
