import { describe, expect, test } from 'vitest'
import { imageSource, isBlankRich, plainLines, plainText, richFromPlain, richLength, richText } from './rich-text.ts'

const picture = `<img src="${imageSource('11111111-1111-7111-8111-111111111111')}" alt="" />`

test.each([
  ['<p>一</p><p>二<strong>三</strong></p>', '一\n二三'],
  ['<p>一<br />二</p>', '一\n二'],
  ['<p>一</p><p></p><p>二</p>', '一\n\n二'],
  ['<h2>标题</h2><ul><li><p>甲</p></li><li><p>乙</p></li></ul><p>完</p>', '标题\n甲\n乙\n完'],
  [
    '<table><tbody><tr><th><p>时间</p></th><td><p>8:00</p></td></tr><tr><td>地点</td></tr></tbody></table>',
    '时间 8:00\n地点',
  ],
  ['<p>1 &lt; 2 &amp;&amp; 3 &gt; 2，&amp;lt;</p>', '1 < 2 && 3 > 2，&lt;'],
  [`<p>图</p>${picture}`, '图\n［图片］'],
  [picture.replace('alt=""', 'alt="校门 &amp; 塔"'), '［图片：校门 & 塔］'],
  ['<p>一&nbsp;二\u00a0</p>', '一 二'],
  ['', ''],
])('%j reads as %j', (html, text) => expect(plainLines(html)).toBe(text))

test.each(['一行', '一\n二\r\n三', '空\n\n行', 'a < b && c > d', '<b>不是标记</b>', '&lt;', '“引”"号"'])(
  'the plain text %j reads the same as a rich one',
  (text) => expect(plainLines(richFromPlain(text))).toBe(text.replaceAll('\r\n', '\n')),
)

test.each([
  ['', true],
  ['<p></p>', true],
  ['<p> &nbsp;</p><ul><li></li></ul>', true],
  ['<p>字</p>', false],
  [picture, false],
  ['<hr />', false],
])('%j shows nothing: %s', (html, blank) => expect(isBlankRich(html)).toBe(blank))

describe('the limit of a rich text', () => {
  const schema = richText('简介', 10)
  const faults = (value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []
  test.each([
    ['<p><strong>一二三四五</strong></p><p style="text-align:center"><em>六七八 九十</em></p>', []],
    ['<p>一二三四五六七八九十一</p>', ['简介不能超过 10 个字']],
    ['一'.repeat(11), ['简介不能超过 10 个字']],
    ['<p> </p>', ['请输入简介']],
    [undefined, ['请输入简介']],
    [`<p>一</p>${'<p></p>'.repeat(30_000)}`, ['简介过长，请删减内容；图片请用“插入图片”上传']],
    ['<p>\ud800</p>', ['简介含有无法保存的字符']],
  ])('counts what is read, not its marks (%#)', (value, wanted) => expect(faults(value)).toEqual(wanted))
  test('is found in one pass over whatever is sent', () => {
    const sent = ['<', '<img ', '</p> ', '<img alt="', '&nbsp;', 'src="'].map((part) =>
      part.repeat(200_000 / part.length),
    )
    for (const text of sent) expect([plainText(text), plainLines(text), richLength(text)]).toHaveLength(3)
  })
})
