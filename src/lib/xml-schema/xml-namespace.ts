/** The namespace of the prefix `xml`, which no document declares (Namespaces in XML 1.0, section 3). */
export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Where libxml2 finds the schema below; nothing is fetched from there. */
export const xmlNamespaceSchema = "penknife:xml.xsd";

/** The attributes of the namespace: XML 1.0, sections 2.10 and 2.12, XML Base and xml:id, with the group that schemas refer to. */
export const xmlNamespaceText = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${xmlNamespace}">
<xs:attribute name="lang"><xs:simpleType><xs:union memberTypes="xs:language"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value=""/></xs:restriction></xs:simpleType></xs:union></xs:simpleType></xs:attribute>
<xs:attribute name="space"><xs:simpleType><xs:restriction base="xs:NCName"><xs:enumeration value="default"/><xs:enumeration value="preserve"/></xs:restriction></xs:simpleType></xs:attribute>
<xs:attribute name="base" type="xs:anyURI"/>
<xs:attribute name="id" type="xs:ID"/>
<xs:attributeGroup name="specialAttrs"><xs:attribute ref="xml:base"/><xs:attribute ref="xml:lang"/><xs:attribute ref="xml:space"/><xs:attribute ref="xml:id"/></xs:attributeGroup>
</xs:schema>`;
