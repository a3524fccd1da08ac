"""The elements of pictures, which are SVG documents."""

from xml.etree import ElementTree


def parse_picture(text):
    """Return the root of a picture, which has a title and a description."""
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert all(root.find(f"{{*}}{part}").text for part in ("title", "desc"))
    return root


def elements(root, name, kind=None):
    """Return the elements with a name, such as "rect", and of a kind, which is their class."""
    found = root.findall(f".//{{*}}{name}")
    return [each for each in found if kind is None or each.get("class") == kind]


def texts_of(root):
    """Return the texts of a picture, in the order of the document."""
    return [text.text for text in elements(root, "text")]
